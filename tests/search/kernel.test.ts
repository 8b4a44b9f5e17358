import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { compileKernel } from '#server/search/kernel/compile-kernel.ts'
import { openKernel, rowBytes, rowCodes } from '#server/search/kernel/open-kernel.ts'
import { createRandom } from '../support/unit-vectors.ts'

const rows = 64

/** What `scan` has to find, from the layout that kernel.as states. */
function sumsOf(codes: Uint8Array, weights: Int8Array): number[] {
  return Array.from({ length: rows }, (_, row) => {
    let sum = 0
    for (let i = 0; i < rowCodes; i++) {
      const byte = codes[row * rowBytes + (i >> 5) * 16 + (i & 15)]!
      sum += weights[i]! * (i & 16 ? byte >> 4 : byte & 15)
    }
    return sum
  })
}

const random = createRandom(5)
const cases = {
  'any codes and weights': {
    codes: Uint8Array.from({ length: rows * rowBytes }, () => random() * 256),
    weights: Int8Array.from({ length: rowCodes }, () => random() * 255 - 127),
  },
  'the greatest sum there can be': {
    codes: new Uint8Array(rows * rowBytes).fill(255),
    weights: new Int8Array(rowCodes).fill(127),
  },
  'the least sum there can be': {
    codes: new Uint8Array(rows * rowBytes).fill(255),
    weights: new Int8Array(rowCodes).fill(-127),
  },
}

describe.each(['plain', 'relaxed'] as const)('the kernel with %s instructions', (instructions) => {
  const kernel = openKernel(instructions)
  kernel.memory.grow(1)
  const [query, found, codesAt] = [0, 1024, 65_536]

  test.each(Object.entries(cases))('finds the rows that reach a limit: %s', (_, { codes, weights }) => {
    const sums = sumsOf(codes, weights)
    kernel.writeQuery(weights, query)
    new Uint8Array(kernel.memory.buffer, codesAt, codes.length).set(codes)
    for (const limit of new Set([...sums, Math.min(...sums) - 1, Math.max(...sums) + 1])) {
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
  const file = new URL('../../server/search/kernel/compiled-kernel.ts', import.meta.url)
  expect(await readFile(file, 'utf8')).toBe(await compileKernel())
})
