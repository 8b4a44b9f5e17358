import { describe, expect, test } from 'vitest'
import { pointLandmarks, pointsInPicture, pointsOfHead } from '#models/rules/face/points.ts'
import { fitFace } from '#models/rules/face/pose.ts'
import { pointCount } from '#shared/contract/analysis/emotion-attention.ts'
import { canonical, meshAt } from '../../../support/drawn/canonical-mesh.ts'

const headOf = (...look: Parameters<typeof meshAt>) => {
  const mesh = meshAt(...look)
  return pointsOfHead(mesh.points, fitFace(mesh, canonical))
}

describe('the 49 points', () => {
  test('match the number of the interface, and are all different', () => {
    expect(pointLandmarks).toHaveLength(pointCount)
    expect(new Set(pointLandmarks.map(String)).size).toBe(pointCount)
  })

  test('are in the order of the description', () => {
    const points = pointsInPicture(meshAt({}).points)
    const mean = (from: number, to: number) => {
      const part = points.slice(from, to + 1)
      return {
        x: part.reduce((sum, { x }) => sum + x, 0) / part.length,
        y: part.reduce((sum, { y }) => sum + y, 0) / part.length,
      }
    }
    const [rightBrow, leftBrow, bridge, nose] = [mean(0, 4), mean(5, 9), mean(10, 13), mean(14, 18)]
    const [rightEye, leftEye, outer, upper, lower] = [
      mean(19, 24),
      mean(25, 30),
      mean(31, 42),
      mean(43, 45),
      mean(46, 48),
    ]
    expect(rightBrow.x).toBeLessThan(bridge.x)
    expect(leftBrow.x).toBeGreaterThan(bridge.x)
    expect(rightEye.x).toBeCloseTo(640 - leftEye.x, 0)
    for (const [above, below] of [
      [rightBrow, rightEye],
      [leftBrow, leftEye],
      [rightEye, nose],
      [bridge, nose],
      [nose, outer],
      [upper, lower],
    ] as const) {
      expect(above.y).toBeLessThan(below.y)
    }
    expect(points[0]!.x).toBeLessThan(points[4]!.x)
    expect(points[31]!.x).toBeLessThan(points[37]!.x)
    expect(points[43]!.x).toBeLessThan(points[45]!.x)
    expect(points[46]!.x).toBeGreaterThan(points[48]!.x)
  })

  test('of a straight head are those of the picture, normalised by place and size', () => {
    const mesh = meshAt({}, { centreX: 200, centreY: 150, pixelsPerUnit: 9 })
    const { centre, scale } = fitFace(mesh, canonical)
    expect(scale).toBeCloseTo(9, 4)
    const flat = pointsInPicture(mesh.points)
    pointsOfHead(mesh.points, fitFace(mesh, canonical)).forEach(({ x, y }, i) => {
      expect(centre.x + scale * x).toBeCloseTo(flat[i]!.x, 2)
      expect(centre.y + scale * y).toBeCloseTo(flat[i]!.y, 2)
    })
  })

  test.each([
    [{ yaw: 40, pitch: -10, roll: 20 }, {}],
    [{ pitch: 25 }, { centreX: 900, centreY: 40, pixelsPerUnit: 50 }],
  ])('of a head turned by %j are those of a straight one', (pose, placing) => {
    const straight = headOf({})
    headOf(pose, placing).forEach(({ x, y, z }, i) => {
      expect(x).toBeCloseTo(straight[i]!.x, 3)
      expect(y).toBeCloseTo(straight[i]!.y, 3)
      expect(z).toBeCloseTo(straight[i]!.z, 3)
    })
  })
})
