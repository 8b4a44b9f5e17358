import { setFlagsFromString } from 'node:v8'
import { engine, kernelBytes, pageBytes, type WasmMemory } from '#shared/web-assembly.ts'
import { plainKernel, relaxedKernel } from './compiled-kernel.ts'

/** The number of codes per row, their size, and the number of interleaved rows. [Note: Codes of four bits] */
export const rowCodes = 128
export const rowBytes = 64
export const blockRows = 8
/** A memory with 32-bit addresses ends at 4 GiB. */
export const mostPages = 65_535
/** The maximum sum of a query's absolute weights. */
export const mostWeight = 2184
/** Sums are 16 bits wide, and so are limits. */
export const limits = { least: -32_768, most: 32_767 } as const
/** The size of an encoded query. */
export const queryBytes = 2048

/** The kernel in kernel.as with its memory. Addresses are bytes of that memory. */
export interface Kernel {
  readonly memory: WasmMemory
  /** The instruction set that it uses. */
  readonly instructions: 'plain' | 'relaxed'
  /** Writes a query with 128 numbers from -127 to 127, in code order, in the layout that `scan` expects. */
  writeQuery(weights: Int8Array, query: number): void
  /** Writes the numbers of the rows with a sum that reaches the limit, and returns their count. `rows` is a multiple of eight. */
  scan(codes: number, rows: number, query: number, limit: number, found: number): number
  dot(a: number, b: number, length: number): number
  dots(vectors: number, count: number, vector: number, length: number, products: number): void
  /**
   * Writes the product of each vector and each row of a basis, one vector after another. `count` is a multiple of two, and
   * `rows` and `length` are multiples of four.
   */
  project(vectors: number, count: number, basis: number, rows: number, length: number, products: number): void
  /** Encodes projections with 128 numbers as rows, at an address given by `codesAt`. See kernel.as for `book` and `sums`. */
  encode(projections: number, count: number, book: number, codes: number, sums: number): void
}

type Exports = Pick<Kernel, 'scan' | 'dot' | 'dots' | 'project' | 'encode'>

/**
 * Opens the kernel with the fastest instructions that this engine supports and computes correctly. Its memory is limited to
 * this many pages.
 */
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
 * [Note: Relaxed SIMD in Node 20] Node 20 implements the instructions but disables them; later versions enable them. Relaxed
 * means that engines may differ for bytes above 127, but codes end at 15, where all engines agree.
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

/** For each group, one vector for the low halves, with the first and the second number in each lane, and one for the high halves. */
function writeBytes(memory: ArrayBuffer, weights: Int8Array, query: number): void {
  const bytes = new Int8Array(memory, query, rowCodes * blockRows)
  for (let i = 0; i < bytes.length; i++) bytes[i] = weights[((i >> 4) << 1) + (i & 1)]!
}

/** For each group, one vector for each of the four codes in a 16-bit lane, from the lowest bits up. */
function writeWords(memory: ArrayBuffer, weights: Int8Array, query: number): void {
  const words = new Int16Array(memory, query, rowCodes * blockRows)
  const order = [0, 2, 1, 3]
  for (let i = 0; i < words.length; i++) words[i] = weights[((i >> 5) << 2) + order[(i >> 3) & 3]!]!
}

/** The address of a row's codes within a block of rows: two bytes in each group. */
export function codesAt(rows: number, row: number): number {
  return rows + (row - (row % blockRows)) * rowBytes + (row % blockRows) * 2
}

/** The number of pages that cover this many bytes from a given address. */
export function pagesFor(bytes: number): number {
  return Math.ceil(bytes / pageBytes)
}
