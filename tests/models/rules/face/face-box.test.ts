import { describe, expect, test } from 'vitest'
import type { FaceAnalysis } from '#models/rules/analysis.ts'
import { faceBox } from '#models/rules/face/face-box.ts'
import { boundingBox } from '#models/rules/face/mesh.ts'
import { meshAt } from '../../../support/drawn/canonical-mesh.ts'

describe('the box of a face', () => {
  test('contains the mesh, with a little more margin at its sides and above than below', () => {
    const { points } = meshAt({ yaw: 20 })
    const mesh = boundingBox(points)
    const box = faceBox({ landmarks: points } as FaceAnalysis)
    expect(box.width).toBeCloseTo(1.1 * mesh.width)
    expect(box.height).toBeCloseTo(1.2 * mesh.height)
    expect(box.x + box.width / 2).toBeCloseTo(mesh.x + mesh.width / 2)
    const above = mesh.y - box.y
    const below = box.y + box.height - mesh.y - mesh.height
    expect(above).toBeGreaterThan(below)
    expect(below).toBeGreaterThan(0)
  })

  test('without a mesh is that of the detector, extended upwards', () => {
    const box = faceBox({ box: { x: 100, y: 100, width: 100, height: 100 }, confidence: 1 })
    expect(box).toEqual({
      x: expect.closeTo(95),
      y: expect.closeTo(80),
      width: expect.closeTo(110),
      height: expect.closeTo(130),
    })
  })
})
