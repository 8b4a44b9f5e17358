import { describe, expect, test } from 'vitest'
import { printSide } from '#models/print.ts'
import { compare, keyedSigns, project } from '#server/sessions/picture-memory.ts'

const size = 128
/** Numbers with a mean square of 100, and a shift at right angles to them. */
const numbers = Array.from({ length: size }, (_, i) => (i % 2 === 0 ? 10 : -10))
const rest = (by: number) => numbers.map((value, i) => value + (i % 4 < 2 ? by : -by))
const gain = (by: number) => numbers.map((value) => value * (1 + by))

describe('two pictures', () => {
  test.each([
    [0, 'same'],
    [0.9e-4, 'same'],
    [-0.9e-4, 'same'],
    [1.1e-4, 'similar'],
    [3.9e-4, 'similar'],
    [-3.9e-4, 'similar'],
    [4.1e-4, 'none'],
    [-4.1e-4, 'none'],
  ])('whose light differs by a share of %d are %s', (by, reuse) => {
    expect(compare(numbers, gain(by))).toBe(reuse)
  })

  test.each([
    [0.059, 'same'],
    [0.061, 'similar'],
    [0.449, 'similar'],
    [0.451, 'none'],
  ])('that differ by %d beside the light are %s', (by, reuse) => {
    expect(compare(numbers, rest(by))).toBe(reuse)
  })

  test('are told apart by the first number alone where that is far off', () => {
    expect(compare(numbers, [numbers[0]! * 1.02 + 4.01, ...numbers.slice(1)])).toBe('none')
  })

  test('of nothing but black are not held against anyone', () => {
    const black = new Array<number>(size).fill(0)
    expect(compare(black, black)).toBe('none')
  })
})

describe('the numbers of a picture', () => {
  const signs = keyedSigns(Buffer.from('one key'))
  const print = Float32Array.from({ length: printSide ** 2 }, (_, i) => 128 + 100 * Math.sin(i))

  test('are 128, to a thousandth', () => {
    const found = project(print, signs)
    expect(found).toHaveLength(size)
    for (const value of found) expect(value * 1000).toBeCloseTo(Math.round(value * 1000), 6)
  })

  test('depend on the key', () => {
    expect(project(print, keyedSigns(Buffer.from('one key')))).toEqual(project(print, signs))
    expect(project(print, keyedSigns(Buffer.from('another')))).not.toEqual(project(print, signs))
  })

  test('are linear in the light', () => {
    const brighter = project(
      print.map((value) => value * 1.1),
      signs,
    )
    for (const [i, value] of project(print, signs).entries()) expect(brighter[i]).toBeCloseTo(value * 1.1, 2)
  })

  test('keep how far two pictures lie apart, on average', () => {
    const other = print.map((value, i) => value + Math.cos(i * 7))
    const far = (a: ArrayLike<number>, b: ArrayLike<number>) =>
      Math.sqrt(Array.from(a).reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0) / a.length)
    const ratio = far(project(print, signs), project(other, signs)) / far(print, other)
    expect(ratio).toBeGreaterThan(0.8)
    expect(ratio).toBeLessThan(1.2)
  })

  test('come from rows of plus and minus one in equal parts', () => {
    expect(signs).toHaveLength(size * printSide ** 2)
    expect(new Set(signs)).toEqual(new Set([1, -1]))
    expect(Math.abs(signs.reduce((sum, sign) => sum + sign, 0)) / signs.length).toBeLessThan(0.02)
  })
})
