import { describe, expect, test } from 'vitest'
import { turnedPairs } from '#models/rules/liveness/evidence/turned-pairs.ts'
import { roomOf, sightIn } from '../../../../support/drawn/surfaces.ts'

const room = roomOf(3)
const at = (yaw: number, pitch = 0) => sightIn(room, { yaw, pitch })
const compared = (...sights: Parameters<typeof turnedPairs>[0]) =>
  turnedPairs(sights).map((pair) => pair !== undefined)

describe('faces', () => {
  test('are compared with the straightest of them', () => {
    const [pair, none] = turnedPairs([at(20), at(1)])
    expect(none).toBeUndefined()
    expect(pair!.degrees).toBeCloseTo(19)
    expect(pair!.rim).toBeLessThan(0.01)
    expect(pair!.light).toBe(0)
  })

  test.each([
    [10.9, false],
    [11, true],
    [36, true],
  ])('that are turned by %s degrees: %s', (degrees, expected) => {
    expect(compared(at(0), at(degrees))).toEqual([false, expected])
    expect(compared(at(0), at(0, degrees))).toEqual([false, expected])
  })

  test('seen from below are compared with the one that looks ahead, even if a turned one is nearer to the axis', () => {
    expect(compared(at(1, 16), at(-7, 14), at(-13, 14))).toEqual([false, false, true])
  })

  test('without one that looks ahead are compared with the straightest alone', () => {
    expect(compared(at(15, 20), at(19, 14), at(26, 20))).toEqual([false, false, false])
  })

  test('that are turned too far make one inconclusive pair if there is no other', () => {
    expect(turnedPairs([at(0), at(60), at(37)])).toEqual([
      undefined,
      undefined,
      { degrees: expect.closeTo(37), light: null, rim: null },
    ])
    expect(compared(at(0), at(40), at(20))).toEqual([false, false, true])
  })

  test('form at most two pairs, at about 22 degrees', () => {
    expect(compared(at(0), at(12), at(20), at(35), at(24))).toEqual([false, false, true, false, true])
  })

  test('without a face are left out', () => {
    expect(compared(undefined, at(0), at(20))).toEqual([false, false, true])
    expect(compared(undefined, undefined)).toEqual([false, false])
    expect(turnedPairs([])).toEqual([])
  })

  test('in front of an even wall are inconclusive in their surroundings', () => {
    const wall = sightIn(roomOf(3, 0.1))
    expect(turnedPairs([wall, { ...wall, pose: { yaw: 20, pitch: 0 } }])[1]).toMatchObject({
      rim: null,
      light: 0,
    })
  })

  test('with too little common skin are inconclusive in their light', () => {
    const skin = Float32Array.from({ length: 330 }, (_, i) => (i < 119 ? 5 : Number.NaN))
    expect(turnedPairs([at(0), sightIn(room, { yaw: 20, skin })])[1]!.light).toBeNull()
  })

  test('at the edge of the picture ignore surroundings outside it', () => {
    const cut = { ...at(0), surface: { ...at(0).surface, width: 35, height: 60 } }
    expect(turnedPairs([cut, at(20)])[1]!.rim).toBeNull()
  })
})
