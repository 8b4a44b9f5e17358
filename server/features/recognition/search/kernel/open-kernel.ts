import { setFlagsFromString } from 'node:v8'
import { engine, kernelBytes, pageBytes, type WasmMemory } from '#shared/web-assembly.ts'
import { plainKernel, relaxedKernel } from './compiled-kernel.ts'

/** How many codes a row has, what they take, and how many rows stand side by side. [Note: Codes of four bits] */
export const rowCodes = 128
export const rowBytes = 64
export const blockRows = 8
/** A memory with addresses of 32 bits ends at 4 GiB. */
export const mostPages = 65_535
/** What the numbers of a query may add up to, without their signs. */
export const mostWeight = 2184
/** Sums are of 16 bits, and limits with them. */
export const limits = { least: -32_768, most: 32_767 } as const
/** What a query takes where it is written. */
export const queryBytes = 2048

/** The kernel of kernel.as with its memory; addresses are bytes of that memory. */
export interface Kernel {
  readonly memory: WasmMemory
  /** Which instructions it uses. */
  readonly instructions: 'plain' | 'relaxed'
  /** Writes a query of 128 numbers from -127 to 127, in the order of the codes, as `scan` wants it. */
  writeQuery(weights: Int8Array, query: number): void
  /** Writes the numbers of the rows whose sum reaches the limit; answers how many. `rows` is a multiple of eight. */
  scan(codes: number, rows: number, query: number, limit: number, found: number): number
  dot(a: number, b: number, length: number): number
  dots(vectors: number, count: number, vector: number, length: number, products: number): void
  /**
   * Writes the products of each vector with each row of a basis, one vector's behind the other's. `count` is a multiple of two,
   * `rows` and `length` of four.
   */
  project(vectors: number, count: number, basis: number, rows: number, length: number, products: number): void
  /** Codes projections of 128 numbers as rows from an address on, which `codesAt` tells; see kernel.as for `book` and `sums`. */
  encode(projections: number, count: number, book: number, codes: number, sums: number): void
}

type Exports = Pick<Kernel, 'scan' | 'dot' | 'dots' | 'project' | 'encode'>

/** Opens the kernel with the fastest instructions that this engine has and computes rightly with; its memory ends at so many pages. */
export function openKernel(
  instructions: Kernel['instructions'] | 'fastest' = 'fastest',
  maximum: number = mostPages,
): Kernel {
  if (instructions === 'plain') return instantiate('plain', maximum)
  if (canRelax()) return instantiate('relaxed', maximum)
  if (instructions === 'relaxed') throw new Error('This engine has no relaxed SIMD')
  return instantiate('plain', maximum)
}

/**
 * [Note: Relaxed SIMD in Node 20] has the instructions finished but switched off; later versions have them on. Relaxed
 * means that engines may differ for bytes above 127: codes end at 15, for which all agree.
 */
function canRelax(): boolean {
  const bytes = kernelBytes(relaxedKernel)
  if (engine.validate(bytes)) return true
  if (process.versions.node.split('.')[0] !== '20') return false
  setFlagsFromString('--experimental-wasm-relaxed-simd')
  return engine.validate(bytes)
}

function instantiate(instructions: Kernel['instructions'], maximum: number): Kernel {
  const memory = new engine.Memory({ initial: 2, maximum })
  const module = new engine.Module(kernelBytes(instructions === 'plain' ? plainKernel : relaxedKernel))
  const abort = () => undefined
  const { exports } = new engine.Instance(module, { env: { memory, abort } })
  const writeQuery = instructions === 'plain' ? writeWords : writeBytes
  return {
    memory,
    instructions,
    ...(exports as Exports),
    writeQuery: (weights, query) => writeQuery(memory.buffer, weights, query),
  }
}

/** For each group a vector for the low halves, each lane the first and the second number, and one for the high ones. */
function writeBytes(memory: ArrayBuffer, weights: Int8Array, query: number): void {
  const bytes = new Int8Array(memory, query, rowCodes * blockRows)
  for (let i = 0; i < bytes.length; i++) bytes[i] = weights[((i >> 4) << 1) + (i & 1)]!
}

/** For each group a vector for each of the four codes that a lane of 16 bits holds, from its lowest bits up. */
function writeWords(memory: ArrayBuffer, weights: Int8Array, query: number): void {
  const words = new Int16Array(memory, query, rowCodes * blockRows)
  const order = [0, 2, 1, 3]
  for (let i = 0; i < words.length; i++) words[i] = weights[((i >> 5) << 2) + order[(i >> 3) & 3]!]!
}

/** Where the codes of a row of those that begin at an address begin: two bytes in each group of its block. */
export function codesAt(rows: number, row: number): number {
  return rows + (row - (row % blockRows)) * rowBytes + (row % blockRows) * 2
}

/** How much memory it takes to hold so many bytes from an address on. */
export function pagesFor(bytes: number): number {
  return Math.ceil(bytes / pageBytes)
}
