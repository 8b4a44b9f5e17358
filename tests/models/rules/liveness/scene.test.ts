import { describe, expect, test } from 'vitest'
import { printOf, rimOf } from '#models/rules/liveness/print.ts'
import { isOnePlace, likenessOf, sceneLimits } from '#models/rules/liveness/scene.ts'
import { frameOf } from '../../../support/drawn/observations.ts'

/** A rim of 46 cells with a pattern of its own. */
const rim = (seed: number) =>
  Array.from({ length: 46 }, (_, i) => 120 + 60 * Math.sin(i * 0.37 * seed + seed))
const frame = (seed: number, luminance = 120) => ({ ...frameOf({}), rim: rim(seed), luminance })

describe('likenessOf', () => {
  test('is 1 for the same rim, less its even share, and low for another', () => {
    expect(likenessOf(rim(1), rim(1))).toBeGreaterThan(0.9)
    expect(likenessOf(rim(1), rim(4))).toBeLessThan(sceneLimits.likeness)
  })

  test('takes two even walls for alike', () => {
    expect(likenessOf(new Array(46).fill(90), new Array(46).fill(200))).toBe(1)
  })
})

describe('isOnePlace', () => {
  test('believes frames of one background and light', () => {
    expect(isOnePlace([frame(1), frame(1), frame(1, 130)])).toBe(true)
  })

  test('believes a background that moves, as long as each frame resembles another', () => {
    const moving = Array.from({ length: 8 }, (_, i) => frame(1 + i * 0.02))
    expect(likenessOf(moving[0]!.rim, moving[7]!.rim)).toBeLessThan(sceneLimits.likeness)
    expect(isOnePlace(moving)).toBe(true)
  })

  test('refuses a frame from another place', () => {
    expect(isOnePlace([frame(1), frame(1), frame(4)])).toBe(false)
  })

  test('refuses two places, though each has several frames', () => {
    expect(isOnePlace([frame(1), frame(1), frame(4), frame(4)])).toBe(false)
  })

  test('refuses another light in the same place', () => {
    const edge = 120 * Math.exp(sceneLimits.light)
    expect(isOnePlace([frame(1), frame(1, edge - 0.1)])).toBe(true)
    expect(isOnePlace([frame(1), frame(1, edge + 0.1)])).toBe(false)
  })

  test('says nothing where no rim was taken', () => {
    expect(isOnePlace([frameOf({}), frameOf({})])).toBe(true)
  })
})

test('rimOf takes the left, upper and right border of a picture', () => {
  const width = 64
  const rgba = new Uint8Array(width * width * 4).fill(10)
  for (let x = 0; x < width; x++) for (let c = 0; c < 4; c++) rgba[((width - 1) * width + x) * 4 + c] = 255
  const values = rimOf(printOf({ width, height: width, rgba }))
  expect(values).toHaveLength(46)
  expect(values.slice(0, 16).every((value) => Math.abs(value - 10) < 0.01)).toBe(true)
  expect(values.at(-1)).toBeGreaterThan(60)
})
