import { describe, expect, test } from 'vitest'
import { eyeDistance, eyeTilt, labelledFace, meanError } from '#lab/evaluate/landmarks/labels.ts'
import { nearest } from '#lab/evaluate/landmarks.ts'
import type { FaceAnalysis } from '#models/rules/analysis.ts'
import { pointsInPicture } from '#models/rules/face/points.ts'
import { poseOf } from '#models/rules/face/pose.ts'
import { canonical, meshAt } from '../../support/drawn/canonical-mesh.ts'

/** A row with 68 points on a line, ten pixels apart. */
const row = Object.fromEntries(
  Array.from({ length: 68 }, (_, i) => [
    [`x${i}`, String(10 * i)],
    [`y${i}`, '5'],
  ]).flat(),
)

describe('a labelled face', () => {
  test('has the 49 points of the interface in their order', () => {
    const { points } = labelledFace(row)!
    expect(points.map(({ x }) => x / 10)).toEqual([
      ...Array.from({ length: 43 }, (_, i) => 17 + i),
      61,
      62,
      63,
      65,
      66,
      67,
    ])
  })

  test('is undefined if a point is missing', () => {
    expect(labelledFace({ ...row, y20: '' })).toBeUndefined()
    expect(labelledFace({ file: 'a.jpg' })).toBeUndefined()
  })

  test('is measured in distances of its outer eye corners', () => {
    const face = labelledFace(row)!
    expect(eyeDistance(face)).toBe(90)
    expect(meanError(face.points, face)).toBe(0)
    const moved = face.points.map(({ x, y }) => ({ x: x + 9, y }))
    expect(meanError(moved, face)).toBeCloseTo(0.1)
  })

  test('is tilted to its own left if its left eye is lower', () => {
    expect(eyeTilt(labelledFace({ ...row, y45: String(5 + 90 * Math.tan(Math.PI / 18)) })!)).toBeCloseTo(10)
  })
})

describe('the found face of a labelled one', () => {
  const faceAt = (centreX: number, roll = 0) => {
    const mesh = meshAt({ roll }, { centreX })
    return { landmarks: mesh.points, pose: poseOf(mesh, canonical) } as unknown as FaceAnalysis
  }
  const labelled = (() => {
    const points = pointsInPicture(faceAt(300, 15).landmarks)
    return { points, rightEyeOuter: points[19]!, leftEyeOuter: points[28]! }
  })()

  test('is the nearest one, with its error and that of its roll', () => {
    const { error, rollErrorInDegrees } = nearest(labelled, [faceAt(500), faceAt(300, 15)])!
    expect(error).toBeCloseTo(0, 4)
    expect(rollErrorInDegrees).toBeLessThan(0.1)
  })

  test('is undefined if all are too far off', () => {
    expect(nearest(labelled, [faceAt(600)])).toBeUndefined()
    expect(nearest(labelled, [])).toBeUndefined()
  })
})
