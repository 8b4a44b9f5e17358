import { describe, expect, test } from 'vitest'
import { drawLamp, lambert } from '#lab/pictures/lambert.ts'
import { moveFace, movementFor } from '#lab/pictures/move-face.ts'
import { cornersOf } from '#lab/pictures/paint-mesh.ts'
import { type CanonicalFace, fitFace } from '#models/rules/face/pose.ts'
import canonical from '#models/weights/canonical-face.json' with { type: 'json' }
import { randomNumbers } from '#shared/random-numbers.ts'

const face = canonical as unknown as CanonicalFace
const points = Float32Array.from(face.vertices, (value, i) => (i % 3 === 0 ? 10 * value : -10 * value))
const fit = fitFace({ points, presence: 1 }, face)
const lamp = { towards: [0.8, 0, -0.6], ambient: 0.4 } as const

/** The mean change across the triangles in the middle of the face. */
function meanGain(gains: Float32Array): number {
  const own = [...gains.entries()].filter(([triangle]) =>
    cornersOf(triangle).every((i) => Math.abs(points[3 * i]!) < 30),
  )
  return own.reduce((sum, [, gain]) => sum + gain, 0) / own.length
}

describe('light by the normals', () => {
  test('does not change without movement', () => {
    expect([...lambert(points, points, lamp)].every((gain) => gain === 1)).toBe(true)
  })

  test('grows on surfaces that turn to the lamp, and fades on those that turn away', () => {
    const towards = lambert(points, moveFace(points, fit, movementFor('turnLeft', 0.7)), lamp)
    const away = lambert(points, moveFace(points, fit, movementFor('turnRight', 0.7)), lamp)
    expect(meanGain(towards)).toBeGreaterThan(1.05)
    expect(meanGain(away)).toBeLessThan(0.95)
  })

  test('comes from in front of the face', () => {
    const { towards } = drawLamp(randomNumbers(7))
    expect(Math.hypot(...towards)).toBeCloseTo(1, 6)
    expect(towards[2]).toBeLessThan(0)
  })
})
