/** Grows in place; every view of it is void after that. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
  /** In pages of 65,536 bytes. @throws {RangeError} beyond its maximum */
  grow(pages: number): number
}

/** What is used of the engine: the compiler's libraries know WebAssembly only with the whole of a browser. */
interface Engine {
  readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
  validate(bytes: Uint8Array): boolean
}

export const engine = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly

/** Bytes of a page of memory. */
export const pageBytes = 65_536

/** The bytes of a kernel that is written down in base64. */
export function kernelBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(letters(base64), (letter) => letter.charCodeAt(0))
}

function letters(base64: string): string {
  return (globalThis as unknown as { readonly atob: (text: string) => string }).atob(base64)
}
