import { setFlagsFromString } from 'node:v8'
import { plainKernel, relaxedKernel } from './compiled-kernel.ts'

/** Bytes of the codes of a row, and how many codes these are. */
export const rowBytes = 64
export const rowCodes = 128

/** The kernel of kernel.as with its memory; addresses are bytes of that memory. */
export interface Kernel {
  readonly memory: KernelMemory
  /** Which instructions it uses. */
  readonly instructions: 'plain' | 'relaxed'
  /** Writes a query of 128 numbers from -127 to 127, in the order of the codes, as `scan` wants it: 256 bytes. */
  writeQuery(weights: Int8Array, query: number): void
  /** Writes the numbers of the rows whose sum reaches the limit; answers how many. `rows` is a multiple of four. */
  scan(codes: number, rows: number, query: number, limit: number, found: number): number
  dot(a: number, b: number, length: number): number
  dots(vectors: number, count: number, vector: number, length: number, products: number): void
}

/** Grows in place; every view of it is void after that. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer
  /** In pages of 65,536 bytes. @throws {RangeError} beyond 4 GB */
  grow(pages: number): number
}

/** What is used of the engine: the compiler's libraries know WebAssembly only with the whole of a browser. */
interface Engine {
  readonly Memory: new (limits: { initial: number; maximum: number }) => KernelMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
  validate(bytes: Uint8Array): boolean
}

const engine = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly

type Exports = Pick<Kernel, 'scan' | 'dot' | 'dots'>

const pageBytes = 65_536

/** Opens the kernel with the fastest instructions that this engine has and computes rightly with. */
export function openKernel(instructions: Kernel['instructions'] | 'fastest' = 'fastest'): Kernel {
  if (instructions === 'plain') return instantiate('plain')
  if (canRelax()) return instantiate('relaxed')
  if (instructions === 'relaxed') throw new Error('This engine has no relaxed SIMD')
  return instantiate('plain')
}

/**
 * [Note: Relaxed SIMD in Node 20] has the instructions finished but switched off; later versions have them on. Relaxed
 * means that engines may differ for bytes above 127: codes end at 15, for which all agree.
 */
function canRelax(): boolean {
  const bytes = bytesOf(relaxedKernel)
  if (engine.validate(bytes)) return true
  if (process.versions.node.split('.')[0] !== '20') return false
  setFlagsFromString('--experimental-wasm-relaxed-simd')
  return engine.validate(bytes)
}

function instantiate(instructions: Kernel['instructions']): Kernel {
  const memory = new engine.Memory({ initial: 2, maximum: 65_535 })
  const module = new engine.Module(bytesOf(instructions === 'plain' ? plainKernel : relaxedKernel))
  const abort = () => undefined
  const { exports } = new engine.Instance(module, { env: { memory, abort } })
  const { scan, dot, dots } = exports as Exports
  const writeQuery = instructions === 'plain' ? writeWords : writeBytes
  return {
    memory,
    instructions,
    scan,
    dot,
    dots,
    writeQuery: (weights, query) => writeQuery(memory.buffer, weights, query),
  }
}

function writeBytes(memory: ArrayBuffer, weights: Int8Array, query: number): void {
  new Int8Array(memory, query, rowCodes).set(weights)
}

/** [Note: Codes of four bits] Lane l of a vector holds the codes 2l (low half), 16 + 2l, 2l + 1 and 16 + 2l + 1. */
function writeWords(memory: ArrayBuffer, weights: Int8Array, query: number): void {
  const words = new Int16Array(memory, query, rowCodes)
  for (let i = 0; i < rowCodes; i++) {
    const [vector, code, lane] = [i >> 5, (i >> 3) & 3, i & 7]
    words[i] = weights[(vector << 5) + ((code & 1) << 4) + (lane << 1) + (code >> 1)]!
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64, 'base64'))
}

/** How much memory it takes to hold so many bytes from an address on. */
export function pagesFor(bytes: number): number {
  return Math.ceil(bytes / pageBytes)
}
