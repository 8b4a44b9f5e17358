import { describe, expect, test } from 'vitest'
import { atRest, eyePoints, moveFace, movementFor } from '#lab/pictures/move-face.ts'
import { type CanonicalFace, fitFace, poseOf, turnOf } from '#models/rules/face/pose.ts'
import canonical from '#models/weights/canonical-face.json' with { type: 'json' }

const face = canonical as unknown as CanonicalFace

/** The canonical face in a picture, at ten pixels per centimetre. */
const points = Float32Array.from(face.vertices, (value, i) =>
  i % 3 === 0 ? 320 + 10 * value : (i % 3 === 1 ? 240 : 0) - 10 * value,
)
const mesh = { points, presence: 1 }
const fit = fitFace(mesh, face)

function seen(moved: Float32Array) {
  const turned = { points: moved, presence: 1 }
  const [pose, straight] = [poseOf(turned, face), poseOf(mesh, face)]
  return { yaw: pose.yaw - straight.yaw, pitch: pose.pitch - straight.pitch, turn: turnOf(turned) }
}

describe('a moved face', () => {
  test('is unchanged at rest', () => {
    const moved = moveFace(points, fit, atRest)
    expect(Math.max(...moved.map((value, i) => Math.abs(value - points[i]!)))).toBeLessThan(0.01)
  })

  test.each([
    ['turnLeft', 30, 0],
    ['turnRight', -30, 0],
    ['lookUp', 0, 24],
  ] as const)('%s turns the head by the given angle', (action, yaw, pitch) => {
    const found = seen(moveFace(points, fit, movementFor(action, 1)))
    expect(found.yaw).toBeCloseTo(yaw, 1)
    expect(found.pitch).toBeCloseTo(pitch, 1)
    expect(Math.sign(Math.round(found.turn * 10))).toBe(Math.sign(yaw))
  })

  test('moves half as far at half the share', () => {
    expect(seen(moveFace(points, fit, movementFor('turnLeft', 0.5))).yaw).toBeCloseTo(15, 1)
  })

  test('smiles with the corners of the mouth further apart and higher', () => {
    const moved = moveFace(points, fit, movementFor('smile', 1))
    expect(moved[3 * 291]! - moved[3 * 61]!).toBeGreaterThan(1.1 * (points[3 * 291]! - points[3 * 61]!))
    expect(moved[3 * 61 + 1]!).toBeLessThan(points[3 * 61 + 1]! - 2)
  })

  test('shuts its eyes and nothing else', () => {
    const moved = moveFace(points, fit, movementFor('blink', 1))
    const changed = [...moved.keys()].filter((i) => Math.abs(moved[i]! - points[i]!) > 0.05)
    expect(changed.length).toBeGreaterThan(10)
    expect(changed.every((i) => eyePoints.includes(Math.floor(i / 3)))).toBe(true)
  })

  test('grows when it comes closer', () => {
    const moved = moveFace(points, fit, movementFor('comeCloser', 1))
    expect((moved[3 * 454]! - moved[3 * 234]!) / (points[3 * 454]! - points[3 * 234]!)).toBeCloseTo(1.5, 2)
  })
})
