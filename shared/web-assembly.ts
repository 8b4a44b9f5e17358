/** Memory that grows in place. Growing invalidates every view of it. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
  /** `pages` of 65,536 bytes each. @throws {RangeError} beyond the maximum */
  grow(pages: number): number
}

/** The part of WebAssembly that is used; its standard types would require the whole DOM library. */
interface Engine {
  readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
  validate(bytes: Uint8Array): boolean
}

export const engine = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly

/** Bytes per memory page. */
export const pageBytes = 65_536

/** Decodes a kernel that the source contains in base64. */
export function kernelBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(letters(base64), (letter) => letter.charCodeAt(0))
}

function letters(base64: string): string {
  return (globalThis as unknown as { readonly atob: (text: string) => string }).atob(base64)
}
