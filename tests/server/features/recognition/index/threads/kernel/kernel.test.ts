import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { compileKernel } from '#lab/kernel/compile-kernel.ts'
import {
  codesAt,
  mostWeight,
  openKernel,
  rowBytes,
  rowCodes,
} from '#server/features/recognition/index/threads/kernel/open-kernel.ts'
import { randomNumbers } from '#shared/random-numbers.ts'

const rows = 64

/** The result that `scan` should return. */
function sumsOf(codes: readonly Uint8Array[], weights: Int8Array): number[] {
  return codes.map((row) => row.reduce((sum, code, i) => sum + code * weights[i]!, 0))
}

const random = randomNumbers(5)
const rowsOf = (code: () => number) =>
  Array.from({ length: rows }, () => Uint8Array.from({ length: rowCodes }, code))

/** Stores codes the way the kernel expects them: two bytes per group, with the first two codes in their low halves. */
function writeCodes(memory: Uint8Array, codes: Uint8Array, at: number): void {
  for (let i = 0; i < rowCodes; i += 4) {
    memory[at + i * 4] = codes[i]! | (codes[i + 2]! << 4)
    memory[at + i * 4 + 1] = codes[i + 1]! | (codes[i + 3]! << 4)
  }
}

function readCodes(memory: Uint8Array, at: number): Uint8Array {
  return Uint8Array.from({ length: rowCodes }, (_, i) => {
    const byte = memory[at + (i - (i % 4)) * 4 + (i % 2)]!
    return i % 4 < 2 ? byte & 15 : byte >> 4
  })
}

/** The largest possible weights. */
function heaviest(sign: (i: number) => number): Int8Array {
  const each = Math.floor(mostWeight / rowCodes)
  return Int8Array.from(
    { length: rowCodes },
    (_, i) => sign(i) * (each + (i < mostWeight % rowCodes ? 1 : 0)),
  )
}

const cases = {
  'any codes and weights': {
    codes: rowsOf(() => random() * 16),
    weights: Int8Array.from({ length: rowCodes }, () => random() * 34 - 17),
  },
  'single great weights': {
    codes: rowsOf(() => random() * 16),
    weights: Int8Array.from({ length: rowCodes }, (_, i) => (i % 9 ? 0 : i % 2 ? 127 : -127)),
  },
  'the greatest sum there can be': { codes: rowsOf(() => 15), weights: heaviest(() => 1) },
  'the least sum there can be': { codes: rowsOf(() => 15), weights: heaviest(() => -1) },
  'great sums that cancel': { codes: rowsOf(() => 15), weights: heaviest((i) => (i < 64 ? 1 : -1)) },
}

describe.each(['plain', 'relaxed'] as const)('the kernel with %s instructions', (instructions) => {
  const kernel = openKernel(instructions)
  kernel.memory.grow(1)
  const [query, found, first] = [0, 4096, 65_536]

  test.each(Object.entries(cases))('finds the rows that reach a limit: %s', (_, { codes, weights }) => {
    const sums = sumsOf(codes, weights)
    kernel.writeQuery(weights, query)
    const memory = new Uint8Array(kernel.memory.buffer)
    for (const [row, own] of codes.entries()) writeCodes(memory, own, codesAt(first, row))
    expect(codes.length * rowBytes).toBeLessThan(65_536)
    const beyond = [Math.max(-32_768, Math.min(...sums) - 1), Math.min(32_767, Math.max(...sums) + 1)]
    for (const limit of new Set([...sums, ...beyond])) {
      const count = kernel.scan(first, rows, query, limit, found)
      const expected = [...sums.keys()].filter((row) => sums[row]! >= limit)
      expect([...new Int32Array(kernel.memory.buffer, found, count)]).toEqual(expected)
    }
  })

  test('multiplies vectors', () => {
    const vectors = Float32Array.from({ length: 5 * 32 }, () => random() - 0.5)
    new Float32Array(kernel.memory.buffer, first, vectors.length).set(vectors)
    kernel.dots(first, 4, first + 4 * 128, 32, found)
    for (const [i, product] of new Float32Array(kernel.memory.buffer, found, 4).entries()) {
      const exact = vectors.subarray(128).reduce((sum, value, k) => sum + value * vectors[i * 32 + k]!, 0)
      expect(product).toBeCloseTo(exact, 6)
      expect(kernel.dot(first + i * 128, first + 4 * 128, 32)).toBe(product)
    }
  })

  test('multiplies matrices', () => {
    const [length, count, width] = [20, 6, 8]
    const numbers = Float32Array.from({ length: (count + width) * length }, () => random() - 0.5)
    new Float32Array(kernel.memory.buffer, first, numbers.length).set(numbers)
    kernel.project(first, count, first + count * length * 4, width, length, found)
    const products = new Float32Array(kernel.memory.buffer, found, count * width)
    const row = (i: number) => numbers.subarray(i * length, (i + 1) * length)
    for (const [at, product] of products.entries()) {
      const [vector, basis] = [row(Math.floor(at / width)), row(count + (at % width))]
      expect(product).toBeCloseTo(
        vector.reduce((sum, value, k) => sum + value * basis[k]!, 0),
        6,
      )
    }
  })

  test('codes projections next to the codes of others, and reports the residue', () => {
    const [step, middle] = [0.02, 7.5]
    const dimensions = rowCodes - 5
    const book = new Float32Array(rowCodes * 3)
    for (let i = 0; i < dimensions; i++)
      for (const [k, value] of [1 / step, step, middle].entries())
        book[Math.floor(i / 4) * 12 + k * 4 + (i % 4)] = value
    const [bookAt, projectionsAt, sumsAt] = [first + 8192, first + 16_384, first + 32_768]
    new Float32Array(kernel.memory.buffer, bookAt, book.length).set(book)
    const given = Float32Array.from({ length: 3 * rowCodes }, (_, i) =>
      i % rowCodes < dimensions ? (random() - 0.5) * 0.4 : 0,
    )
    new Float32Array(kernel.memory.buffer, projectionsAt, given.length).set(given)
    const memory = new Uint8Array(kernel.memory.buffer)
    for (let row = 0; row < 8; row++)
      writeCodes(memory, new Uint8Array(rowCodes).fill(row), codesAt(first, row))
    kernel.encode(projectionsAt, 3, bookAt, codesAt(first, 4), sumsAt)
    const sums = new Float64Array(kernel.memory.buffer, sumsAt, 9)
    for (let row = 0; row < 8; row++) {
      const codes = readCodes(memory, codesAt(first, row))
      if (row < 4 || row > 6) {
        expect(codes).toEqual(new Uint8Array(rowCodes).fill(row))
        continue
      }
      const own = given.subarray((row - 4) * rowCodes, (row - 3) * rowCodes)
      const expected = Array.from(own, (value, i) =>
        i < dimensions ? Math.max(0, Math.min(15, Math.round(value / step + middle))) : 0,
      )
      expect([...codes]).toEqual(expected)
      const fromMiddle = expected.map((code, i) => (i < dimensions ? code - middle : 0))
      const squares = (values: readonly number[]) => values.reduce((sum, value) => sum + value * value, 0)
      expect([...sums.subarray((row - 4) * 3, (row - 3) * 3)]).toEqual(
        [
          squares(fromMiddle),
          squares(fromMiddle.map((code, i) => own[i]! - step * code)),
          squares([...own]),
        ].map((value) => expect.closeTo(value, 4)),
      )
    }
  })
})

test('the compiled kernel matches its source', async () => {
  const file = new URL(
    '../../../../../../../server/features/recognition/index/threads/kernel/compiled-kernel.ts',
    import.meta.url,
  )
  expect(await readFile(file, 'utf8')).toBe(
    await compileKernel('server/features/recognition/index/threads/kernel'),
  )
})
