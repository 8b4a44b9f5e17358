import { describe, expect, test } from 'vitest'
import { isOnePlace, likenessOf, sceneLimits } from '#models/rules/liveness/scene.ts'
import { rimOf, rimPlaces, sceneSignature } from '#models/rules/liveness/scene-signature.ts'
import { frameOf } from '../../../support/drawn/observations.ts'

/** A rim made up of 46 cells with a distinctive pattern. */
const rim = (seed: number) =>
  Array.from({ length: 46 }, (_, i) => 120 + 60 * Math.sin(i * 0.37 * seed + seed))
const frame = (seed: number, luminance = 120) => ({ ...frameOf({}), rim: rim(seed), luminance })

/** A face that is 330 pixels wide out of 640 instead of 200, with hair and shoulders covering some of the surroundings. */
const nearer = (seed: number, size = 330) => {
  const box = { x: 320 - size / 2, y: 80, width: size, height: 1.2 * size }
  const hides = (x: number, y: number) => Math.abs(x - 0.5) < 0.38 || y > 0.99
  const seen = rim(seed).map((value, i) => (hides(rimPlaces[i]!.x, rimPlaces[i]!.y) ? 255 : value))
  return { ...frameOf({}), face: { ...frameOf({}).face!, box }, rim: seen }
}

describe('likenessOf', () => {
  test('is 1 for the same rim, and low for another', () => {
    expect(likenessOf(rim(1), rim(1))).toBeCloseTo(1, 9)
    expect(likenessOf(rim(1), rim(4))).toBeLessThan(sceneLimits.likeness)
  })

  test('treats two even walls as similar', () => {
    expect(likenessOf(new Array(46).fill(90), new Array(46).fill(200))).toBe(1)
  })

  test.each([1, 2, 3])('treats a wall that is even to %d grey levels as even', (contrast) => {
    const wall = (seed: number) => rim(seed).map((value) => 90 + ((value - 120) / 60) * contrast)
    const [seen, again] = [wall(1), wall(1).map((value, i) => value + (i % 2 === 0 ? 0.5 : -0.5))]
    expect(likenessOf(seen, again)).toBeGreaterThan(sceneLimits.likeness)
    expect(likenessOf(seen, rim(1))).toBeLessThan(sceneLimits.likeness)
  })

  test('is low if one shows a wall and the other a pattern', () => {
    expect(likenessOf(new Array(46).fill(90), rim(1))).toBeLessThan(0.1)
  })
})

describe('isOnePlace', () => {
  test('accepts frames of one background and light', () => {
    expect(isOnePlace([frame(1), frame(1), frame(1, 130)])).toBe(true)
  })

  test('accepts a background that moves, as long as each frame resembles another', () => {
    const moving = Array.from({ length: 8 }, (_, i) => frame(1 + i * 0.02))
    expect(likenessOf(moving[0]!.rim, moving[7]!.rim)).toBeLessThan(sceneLimits.likeness)
    expect(isOnePlace(moving)).toBe(true)
  })

  test('refuses a frame from another place', () => {
    expect(isOnePlace([frame(1), frame(1), frame(4)])).toBe(false)
  })

  test('refuses two places, even if each has several frames', () => {
    expect(isOnePlace([frame(1), frame(1), frame(4), frame(4)])).toBe(false)
  })

  test('refuses different light in the same place', () => {
    const edge = 120 * Math.exp(sceneLimits.light)
    expect(isOnePlace([frame(1), frame(1, edge - 0.1)])).toBe(true)
    expect(isOnePlace([frame(1), frame(1, edge + 0.1)])).toBe(false)
  })

  test('compares the uncovered surroundings of a face that came nearer', () => {
    const near = nearer(1)
    expect(isOnePlace([frame(1), frame(1), near])).toBe(true)
    expect(likenessOf(frame(1).rim, near.rim)).toBeLessThan(sceneLimits.likeness)
    expect(isOnePlace([frame(1), frame(1), nearer(4)])).toBe(false)
  })

  test('ignores their brightness, because a camera adjusts its exposure to what fills the picture', () => {
    const bright = { ...nearer(1), luminance: 200 }
    expect(isOnePlace([frame(1), frame(1), bright])).toBe(true)
  })

  test('learns nothing from a face that covers the surroundings, and does not connect two places by it', () => {
    const filling = nearer(2, 600)
    expect(isOnePlace([frame(1), frame(1), filling])).toBe(true)
    expect(isOnePlace([frame(1), filling, frame(4)])).toBe(false)
  })

  test('is undefined without a rim', () => {
    expect(isOnePlace([frameOf({}), frameOf({})])).toBe(true)
  })
})

test('rimOf returns the left, upper and right border of a picture', () => {
  const width = 64
  const rgba = new Uint8Array(width * width * 4).fill(10)
  for (let x = 0; x < width; x++) for (let c = 0; c < 4; c++) rgba[((width - 1) * width + x) * 4 + c] = 255
  const values = rimOf(sceneSignature({ width, height: width, rgba }))
  expect(values).toHaveLength(46)
  expect(values.slice(0, 16).every((value) => Math.abs(value - 10) < 0.01)).toBe(true)
  expect(values.at(-1)).toBeGreaterThan(60)
})
