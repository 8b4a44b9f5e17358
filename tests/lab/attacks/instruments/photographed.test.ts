import { describe, expect, test } from 'vitest'
import { shareOnTheWay } from '#lab/attacks/instruments/photographed.ts'

const places = Array.from({ length: 101 }, (_, i) => i / 100)

describe('the film of an invented movement', () => {
  test('begins straight, peaks around the middle, and ends straight', () => {
    expect([0, 0.2, 0.5, 0.7, 1].map((place) => shareOnTheWay('turnLeft', place))).toEqual([0, 0, 1, 1, 0])
  })

  test('moves smoothly', () => {
    const way = places.map((place) => shareOnTheWay('lookUp', place))
    expect(Math.max(...way.slice(1).map((share, i) => Math.abs(share - way[i]!)))).toBeLessThan(0.06)
  })

  test('does not move in a straight look', () => {
    expect(places.every((place) => shareOnTheWay('end', place) === 0)).toBe(true)
  })
})
