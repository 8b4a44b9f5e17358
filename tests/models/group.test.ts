import { describe, expect, test } from 'vitest'
import { isSameFace, tilesOf, withoutRepeats } from '#models/group.ts'

const box = (x: number, y: number, side: number) => ({ x, y, width: side, height: side })

describe('tiles', () => {
  test.each([
    [640, 480, 320],
    [1000, 160, 250],
    [333, 777, 194],
    [100, 100, 160],
  ])(
    'of %d x %d with a side of %d cover the picture, stay inside it and share their seams',
    (width, height, side) => {
      const tiles = tilesOf(width, height, side)
      for (const tile of tiles) {
        expect(tile.x).toBeGreaterThanOrEqual(0)
        expect(tile.x + tile.width).toBeLessThanOrEqual(width + 1e-9)
        expect(tile.y + tile.height).toBeLessThanOrEqual(height + 1e-9)
      }
      const starts = [...new Set(tiles.map(({ x }) => x))]
      for (let i = 1; i < starts.length; i++)
        expect(starts[i]! - starts[i - 1]!).toBeLessThanOrEqual(0.75 * side + 1e-9)
      expect(Math.max(...tiles.map((tile) => tile.x + tile.width))).toBeCloseTo(width)
      expect(Math.max(...tiles.map((tile) => tile.y + tile.height))).toBeCloseTo(height)
    },
  )
})

describe('tiles of a half and of a quarter', () => {
  test.each([
    [256, 2],
    [640, 2],
    [1280, 4],
    [333, 4],
    [777, 4],
  ])('of a square of %d are no more than %d a row', (length, parts) => {
    const side = length / (parts - 0.25 * (parts - 1))
    expect(tilesOf(length, length, side)).toHaveLength(parts ** 2)
  })
})

describe('two boxes', () => {
  test.each([
    ['that are nearly one', box(10, 10, 100), box(14, 12, 100), true],
    ['of which one is a part of the other', box(0, 0, 100), box(5, 40, 45), true],
    ['side by side', box(0, 0, 100), box(90, 0, 100), false],
    ['apart', box(0, 0, 100), box(300, 0, 100), false],
  ])('%s: one face %#', (_name, a, b, same) => {
    expect(isSameFace(a, b)).toBe(same)
    expect(isSameFace(b, a)).toBe(same)
  })

  test('of one face leave the more certain one', () => {
    const found = [
      { box: box(0, 0, 100), confidence: 0.7, keypoints: [] },
      { box: box(4, 0, 100), confidence: 0.9, keypoints: [] },
      { box: box(300, 0, 50), confidence: 0.6, keypoints: [] },
    ]
    expect(withoutRepeats(found).map(({ confidence }) => confidence)).toEqual([0.9, 0.6])
  })
})
