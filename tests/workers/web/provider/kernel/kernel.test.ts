import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileKernel } from '#lab/kernel/compile-kernel.ts'
import { openKernel } from '#workers/web/provider/kernel/kernel.ts'

test('the compiled kernel matches its source', async () => {
  const compiled = await readFile('workers/web/provider/kernel/compiled-kernel.ts', 'utf8')
  expect(compiled).toBe(await compileKernel('workers/web/provider/kernel'))
})

test('stored data stays in place while the memory grows, and no address is null', () => {
  const kernel = openKernel()
  const first = kernel.keep(Float32Array.of(1, 2, 3))
  const second = kernel.take(5_000_000)
  const third = kernel.keep(Float32Array.of(4))
  expect(first).toBeGreaterThan(0)
  expect([first, second, third].every((address) => address % 64 === 0)).toBe(true)
  expect([...kernel.numbers(first, 3), ...kernel.numbers(third, 1)]).toEqual([1, 2, 3, 4])
  expect(kernel.numbers(second, 1_250_000).every((number) => number === 0)).toBe(true)
})

test('data that does not fit into the memory is refused, and stored data stays', () => {
  const kernel = openKernel()
  const kept = kernel.keep(Float32Array.of(7))
  expect(() => kernel.take(600 * 1024 * 1024)).toThrow(RangeError)
  expect([...kernel.numbers(kept, 1), ...kernel.numbers(kernel.keep(Float32Array.of(8)), 1)]).toEqual([7, 8])
})

test('rows that are too few for a group of six are multiplied too, for any number of columns', () => {
  const kernel = openKernel('plain')
  const [depth, columns] = [8, 12]
  const weights = Float32Array.from({ length: depth * columns }, (_, i) => (i % 7) - 3)
  const at = (row: number, column: number) =>
    column < 8 ? weights[row * 8 + column]! : weights[depth * 8 + row * 4 + column - 8]!
  for (const rows of [1, 5, 6, 7, 13]) {
    const input = Float32Array.from({ length: rows * depth }, (_, i) => (i % 5) - 2)
    const out = kernel.take(4 * rows * columns)
    const bias = Float32Array.from({ length: columns }, (_, i) => i)
    kernel.multiply(
      kernel.keep(input),
      kernel.keep(weights),
      kernel.keep(bias),
      0,
      0,
      0,
      out,
      rows,
      depth,
      columns,
    )
    const expected = Array.from({ length: rows * columns }, (_, i) => {
      const [row, column] = [Math.floor(i / columns), i % columns]
      const products = Array.from({ length: depth }, (_, k) => input[row * depth + k]! * at(k, column))
      return products.reduce((sum, product) => sum + product, column)
    })
    expect([...kernel.numbers(out, rows * columns)]).toEqual(expected)
  }
})
