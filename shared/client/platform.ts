import type { Fetch } from '../call.ts'

/** The part of AbortSignal that the client uses. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', leave: () => void): void
  removeEventListener(type: 'abort', leave: () => void): void
}

interface HmacKeys {
  importKey(
    format: 'raw',
    bytes: Uint8Array,
    algorithm: { name: 'HMAC'; hash: 'SHA-256' },
    extractable: false,
    uses: readonly ['verify'],
  ): Promise<object>
  verify(algorithm: 'HMAC', key: object, signature: Uint8Array, content: Uint8Array): Promise<boolean>
}

interface Platform {
  readonly fetch: Fetch
  readonly AbortController: new () => { readonly signal: Signal; abort(reason: unknown): void }
  readonly DOMException: new (message: string, name: 'TimeoutError') => Error
  readonly URL: new (address: string) => { readonly search: string; readonly origin: string }
  readonly URLSearchParams: new (
    from: string | Readonly<Record<string, string>>,
  ) => Iterable<[string, string]> & { toString(): string }
  readonly TextEncoder: new () => { encode(text: string): Uint8Array }
  readonly crypto: { readonly subtle: HmacKeys }
  atob(base64: string): string
  btoa(binary: string): string
  setTimeout(work: () => void, milliseconds: number): unknown
  clearTimeout(timer: unknown): void
}

/** The APIs that browsers and Node have in common and that this client uses. Shared code compiles without the types of either one. */
export const platform = globalThis as unknown as Platform
