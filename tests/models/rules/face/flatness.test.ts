import { describe, expect, test } from 'vitest'
import { breadthOf, flatnessResidual } from '#models/rules/face/flatness.ts'
import { fitFace, rigidPoints } from '#models/rules/face/pose.ts'
import { canonical, meshAt, tilted } from '../../../support/drawn/canonical-mesh.ts'

type Mesh = ReturnType<typeof meshAt>
const straight = meshAt({})
const breadth = (mesh: Mesh) => breadthOf(mesh.points, fitFace(mesh, canonical))

describe('flatnessResidual', () => {
  test.each([
    { yaw: 20, pitch: 0 },
    { yaw: -50, pitch: 0 },
    { yaw: 0, pitch: 40 },
    { yaw: 30, pitch: -20 },
  ])('explains a picture that is tilted by %j', (degrees) => {
    const flat = rigidPoints(tilted(straight, degrees))
    expect(flatnessResidual(rigidPoints(straight), flat)).toBeLessThan(0.01)
  })

  test.each([{ yaw: 20 }, { yaw: -30 }, { pitch: 20 }, { pitch: -25 }])(
    'does not explain a head that is turned by %j',
    (pose) => {
      expect(flatnessResidual(rigidPoints(straight), rigidPoints(meshAt(pose)))).toBeGreaterThan(0.1)
    },
  )
})

describe('breadthOf', () => {
  test.each([{ yaw: 30 }, { yaw: -45 }, { pitch: 25 }, { roll: 30 }, { yaw: 20, pitch: 15, roll: -10 }])(
    'is the same in every direction of the turn: %j',
    (pose) => {
      expect(breadth(meshAt(pose)) / breadth(straight)).toBeCloseTo(1, 2)
    },
  )

  test('does not change with size and place', () => {
    const near = meshAt({ yaw: 10 }, { centreX: 90, centreY: 500, pixelsPerUnit: 31 })
    expect(breadth(near)).toBeCloseTo(breadth(straight), 2)
  })

  test.each([25, -35, 45])('of a picture that is turned by %d degrees is less', (yaw) => {
    expect(breadth(tilted(straight, { yaw, pitch: 0 })) / breadth(straight)).toBeLessThan(0.96)
  })
})
