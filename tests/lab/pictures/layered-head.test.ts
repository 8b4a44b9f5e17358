import { describe, expect, test } from 'vitest'
import { filledIn } from '#lab/pictures/fill-in.ts'
import { turned } from '#lab/pictures/head.ts'
import { paintLayer } from '#lab/pictures/paint-layer.ts'
import type { Raster } from '#lab/pictures/raster.ts'

const even = (width: number, height: number, level: number): Raster => ({
  width,
  height,
  rgb: new Uint8Array(3 * width * height).fill(level),
})
const levelAt = ({ width, rgb }: Raster, x: number, y: number) => rgb[3 * (y * width + x)]

describe('the filled-in background of a head', () => {
  test('takes the surrounding colours and leaves visible places unchanged', () => {
    const picture = even(32, 24, 90)
    const isOpen = new Float32Array(32 * 24).fill(1)
    for (let y = 6; y < 18; y++) {
      for (let x = 8; x < 24; x++) {
        isOpen[y * 32 + x] = 0
        picture.rgb.fill(250, 3 * (y * 32 + x), 3 * (y * 32 + x) + 3)
      }
    }
    const filled = filledIn(picture, isOpen)
    expect(new Set(filled.rgb)).toEqual(new Set([90]))
  })

  test('continues from one side to the other', () => {
    const picture = even(33, 9, 0)
    const isOpen = new Float32Array(33 * 9)
    for (let y = 0; y < 9; y++) {
      picture.rgb.fill(200, 3 * (y * 33 + 32), 3 * (y * 33 + 33))
      isOpen[y * 33] = 1
      isOpen[y * 33 + 32] = 1
    }
    const filled = filledIn(picture, isOpen)
    const [left, middle, right] = [4, 16, 28].map((x) => levelAt(filled, x, 4)!) as [number, number, number]
    expect(left).toBeLessThan(middle)
    expect(middle).toBeLessThan(right)
  })
})

describe('a layer', () => {
  const triangles = Uint32Array.from([0, 1, 2])
  const from = Float32Array.from([0, 0, 0, 20, 0, 0, 0, 20, 0])

  test('covers according to its corners, in their light', () => {
    const onto = even(20, 20, 100)
    const cover = Float32Array.from([0.5, 0.5, 0.5])
    const light = Float32Array.from([0.5, 0.5, 0.5])
    paintLayer(onto, even(20, 20, 200), { triangles, from, to: from, cover, light })
    expect([levelAt(onto, 4, 4), levelAt(onto, 18, 18)]).toEqual([100, 100])
    paintLayer(onto, even(20, 20, 200), { triangles, from, to: from })
    expect([levelAt(onto, 4, 4), levelAt(onto, 18, 18)]).toEqual([200, 100])
  })

  test('is hidden by a nearer one', () => {
    const two = Uint32Array.from([3, 4, 5, 0, 1, 2])
    const both = Float32Array.from([...from, ...from])
    const depths = both.map((value, i) => (i % 3 === 2 ? (i < 9 ? 5 : -5) : value))
    const light = Float32Array.from([0.25, 0.25, 0.25, 1, 1, 1])
    const onto = even(20, 20, 0)
    paintLayer(onto, even(20, 20, 200), { triangles: two, from: both, to: depths, light })
    expect(levelAt(onto, 4, 4)).toBe(200)
  })
})

test('a head that turns to its own left moves its nose to the right of the picture, and one that looks up moves it up', () => {
  const nose = [0, 0, -10] as const
  const [x] = turned(nose, { yaw: 30, pitch: 0 })
  const [, y] = turned(nose, { yaw: 0, pitch: 24 })
  expect(x).toBeCloseTo(5, 6)
  expect(y).toBeLessThan(-4)
  expect(turned(nose, { yaw: 30, pitch: 24 }, 0)).toEqual([0, 0, -10])
})
