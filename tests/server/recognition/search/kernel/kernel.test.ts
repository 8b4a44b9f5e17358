import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { compileKernel } from '#lab/kernel/compile-kernel.ts'
import { mostWeight, openKernel, rowBytes, rowCodes } from '#server/recognition/search/kernel/open-kernel.ts'
import { randomNumbers } from '#shared/random-numbers.ts'

const rows = 64

/** What `scan` has to find. */
function sumsOf(codes: readonly Uint8Array[], weights: Int8Array): number[] {
  return codes.map((row) => row.reduce((sum, code, i) => sum + code * weights[i]!, 0))
}

const random = randomNumbers(5)
const rowsOf = (code: () => number) =>
  Array.from({ length: rows }, () => Uint8Array.from({ length: rowCodes }, code))

/** As heavy as weights may be. */
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
  const [query, found, codesAt] = [0, 4096, 65_536]

  test.each(Object.entries(cases))('finds the rows that reach a limit: %s', (_, { codes, weights }) => {
    const sums = sumsOf(codes, weights)
    kernel.writeQuery(weights, query)
    for (const [row, own] of codes.entries()) kernel.writeCodes(own, codesAt, row)
    expect(codes.length * rowBytes).toBeLessThan(65_536)
    const beyond = [Math.max(-32_768, Math.min(...sums) - 1), Math.min(32_767, Math.max(...sums) + 1)]
    for (const limit of new Set([...sums, ...beyond])) {
      const count = kernel.scan(codesAt, rows, query, limit, found)
      const expected = [...sums.keys()].filter((row) => sums[row]! >= limit)
      expect([...new Int32Array(kernel.memory.buffer, found, count)]).toEqual(expected)
    }
  })

  test('multiplies vectors', () => {
    const vectors = Float32Array.from({ length: 5 * 32 }, () => random() - 0.5)
    new Float32Array(kernel.memory.buffer, codesAt, vectors.length).set(vectors)
    kernel.dots(codesAt, 4, codesAt + 4 * 128, 32, found)
    for (const [i, product] of new Float32Array(kernel.memory.buffer, found, 4).entries()) {
      const exact = vectors.subarray(128).reduce((sum, value, k) => sum + value * vectors[i * 32 + k]!, 0)
      expect(product).toBeCloseTo(exact, 6)
      expect(kernel.dot(codesAt + i * 128, codesAt + 4 * 128, 32)).toBe(product)
    }
  })
})

test('the compiled kernel is that of its source', async () => {
  const file = new URL('../../../../../server/recognition/search/kernel/compiled-kernel.ts', import.meta.url)
  expect(await readFile(file, 'utf8')).toBe(await compileKernel('server/recognition/search/kernel'))
})
