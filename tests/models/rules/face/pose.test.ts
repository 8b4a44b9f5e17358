import { describe, expect, test } from 'vitest'
import { flatnessResidual } from '#models/rules/face/flatness.ts'
import { eyeLine } from '#models/rules/face/mesh.ts'
import { poseOf, rigidLandmarks, rigidPoints, turnOf } from '#models/rules/face/pose.ts'
import { canonical, meshAt, tilted } from '../../../support/drawn/canonical-mesh.ts'

/** A level head reads as looking up by this angle, because a level photograph's mesh is bent down by the same amount. */
const pitchBias = 3.8

describe('the pose of the canonical face', () => {
  test.each([
    { yaw: 0, pitch: 0, roll: 0 },
    { yaw: 30, pitch: 0, roll: 0 },
    { yaw: -30, pitch: 0, roll: 0 },
    { yaw: 0, pitch: 20, roll: 0 },
    { yaw: 0, pitch: -20, roll: 0 },
    { yaw: 0, pitch: 0, roll: 25 },
    { yaw: 0, pitch: 0, roll: -25 },
    { yaw: 40, pitch: -15, roll: 10 },
    { yaw: -60, pitch: 30, roll: -30 },
  ])('turned by %j is found again', (turned) => {
    const { yaw, pitch, roll } = poseOf(meshAt(turned), canonical)
    expect(yaw).toBeCloseTo(turned.yaw, 3)
    expect(pitch - pitchBias).toBeCloseTo(turned.pitch, 3)
    expect(roll).toBeCloseTo(turned.roll, 3)
  })

  test('does not depend on the position and size of the face', () => {
    const near = meshAt({ yaw: 20 }, { centreX: 900, centreY: 100, pixelsPerUnit: 60 })
    expect(poseOf(near, canonical).yaw).toBeCloseTo(20, 3)
  })
})

describe('signs on the screen', () => {
  const nose = (pose: Parameters<typeof meshAt>[0]) => {
    const { points } = meshAt(pose)
    return { x: points[3]! - 320, y: points[4]! - 240, z: points[5]! }
  }

  test('a face that turns to its own left moves its nose to the right of the picture', () => {
    expect(nose({ yaw: 20 }).x).toBeGreaterThan(nose({}).x + 10)
  })

  test('a face that looks up moves its nose up in the picture', () => {
    expect(nose({ pitch: 20 }).y).toBeLessThan(nose({}).y - 10)
  })

  test('a head that tilts to its own left turns clockwise in the picture', () => {
    expect(eyeLine(meshAt({ roll: 20 }).points)).toBeCloseTo((20 * Math.PI) / 180, 5)
  })
})

describe('turn', () => {
  test.each([
    [0, 0],
    [20, 0.47],
    [-20, -0.47],
    [30, 0.75],
  ])('of a head turned by %d degrees is about %d', (yaw, turn) => {
    expect(Math.abs(turnOf(meshAt({ yaw })) - turn)).toBeLessThan(0.02)
  })

  test('does not depend on how the head is tilted', () => {
    expect(turnOf(meshAt({ yaw: 20, roll: 0 }))).toBeGreaterThan(0.4)
    expect(turnOf(meshAt({ roll: 30 }))).toBeCloseTo(0, 3)
  })

  test.each([30, -45])('hardly changes when a flat picture is tilted by %d degrees', (yaw) => {
    expect(Math.abs(turnOf(tilted(meshAt({}), { yaw, pitch: 0 })))).toBeLessThan(0.05)
  })
})

describe('rigid points', () => {
  test('contain neither place nor size', () => {
    const a = rigidPoints(meshAt({ yaw: 10 }))
    const b = rigidPoints(meshAt({ yaw: 10 }, { centreX: 10, centreY: 900, pixelsPerUnit: 55 }))
    expect(a).toHaveLength(2 * rigidLandmarks.length)
    a.forEach((value, i) => {
      expect(value).toBeCloseTo(b[i]!, 4)
    })
  })

  test('are only taken from a complete mesh', () => {
    expect(() => rigidPoints({ points: new Float32Array(30), presence: 1 })).toThrow(RangeError)
  })
})

describe('the residual of a homography', () => {
  const straight = meshAt({})
  const left = (to: typeof straight) => flatnessResidual(rigidPoints(straight), rigidPoints(to))

  test.each([
    { yaw: 30, pitch: 0 },
    { yaw: -60, pitch: 0 },
    { yaw: 0, pitch: 45 },
    { yaw: 25, pitch: -25 },
  ])('of a flat picture tilted by %j is zero', (degrees) => {
    expect(left(tilted(straight, degrees, 1.5))).toBeLessThan(1e-6)
  })

  test('of a head tilted in the plane, moved and nearer is zero', () => {
    expect(left(meshAt({ roll: 20 }, { centreX: 50, pixelsPerUnit: 30 }))).toBeLessThan(1e-6)
  })

  test.each([{ yaw: 20 }, { yaw: -20 }, { pitch: 20 }, { pitch: -20 }])(
    'of a solid head turned by %j is clearly above zero',
    (pose) => {
      expect(left(meshAt(pose))).toBeGreaterThan(0.1)
    },
  )

  test('grows with the turn', () => {
    const residuals = [5, 10, 20, 30, 40].map((yaw) => left(meshAt({ yaw })))
    expect(residuals).toEqual([...residuals].sort((a, b) => a - b))
    expect(residuals[0]).toBeLessThan(0.04)
  })

  test('of points all in one place is finite', () => {
    const one = new Array<number>(2 * rigidLandmarks.length).fill(0)
    expect(Number.isFinite(flatnessResidual(one, one))).toBe(true)
  })
})
