import { describe, expect, test } from 'vitest'
import { tilesOf } from '#models/pipeline/views.ts'

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
