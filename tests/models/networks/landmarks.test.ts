import { describe, expect, test } from 'vitest'
import { alignment } from '#models/networks/embedder.ts'
import { findMesh, regionOfDetection, regionOfMesh } from '#models/networks/landmarks.ts'
import { boxOfMesh } from '#models/networks/spoof.ts'
import { transform } from '#models/picture/geometry.ts'
import { Picture } from '#models/picture/picture.ts'
import { boundingBox, meanPoint } from '#models/rules/face/mesh.ts'
import { meshAt } from '../../support/drawn/canonical-mesh.ts'
import { grey } from '../../support/drawn/frames.ts'

describe('the region to look at', () => {
  const keypoints = (angle: number) => [
    { x: 100 - 20 * Math.cos(angle), y: 100 - 20 * Math.sin(angle) },
    { x: 100 + 20 * Math.cos(angle), y: 100 + 20 * Math.sin(angle) },
  ]

  test.each([0, 0.4, -1.2])('of a detection with its eyes at %d radians is rotated with them', (angle) => {
    const box = { x: 80, y: 70, width: 40, height: 60 }
    const region = regionOfDetection({ box, confidence: 1, keypoints: keypoints(angle) })
    expect(region).toMatchObject({ centreX: 100, centreY: 100, side: 90 })
    expect(region.rotation).toBeCloseTo(angle)
  })

  test('of a mesh holds it with a margin of a half', () => {
    const mesh = meshAt({ roll: 15 })
    const box = boundingBox(mesh.points)
    const region = regionOfMesh(mesh)
    expect(region.side).toBeCloseTo(1.5 * Math.max(box.width, box.height))
    expect(region.centreX).toBeCloseTo(box.x + box.width / 2)
    expect(region.rotation).toBeCloseTo((15 * Math.PI) / 180, 4)
  })
})

describe('findMesh', () => {
  const answering = (point: readonly [number, number, number], presence: number) => ({
    run: async () => ({
      landmarks: {
        data: Float32Array.from({ length: 1404 }, (_, i) => point[i % 3]!),
        dims: [1, 1404],
      },
      presence: { data: Float32Array.of(presence), dims: [1, 1] },
    }),
  })
  const picture = new Picture(grey(400, 400, () => 100))

  test('maps points of the crop back into the picture, with depth at the same scale', async () => {
    const region = { centreX: 200, centreY: 100, side: 96, rotation: 0 }
    const { points } = await findMesh(answering([192, 96, 30], 0), picture, region)
    expect(Array.from(points.slice(0, 3))).toEqual([248, 100, 15])
  })

  test('undoes the rotation of the region', async () => {
    const region = { centreX: 200, centreY: 100, side: 192, rotation: Math.PI / 2 }
    const { points } = await findMesh(answering([192, 96, 0], 0), picture, region)
    expect(points[0]).toBeCloseTo(200, 3)
    expect(points[1]).toBeCloseTo(196, 3)
  })

  test.each([
    [0, 0.5],
    [4, 0.982],
    [-4, 0.018],
  ])('reads a logit of %d as a presence of %d', async (logit, presence) => {
    const region = { centreX: 200, centreY: 200, side: 100, rotation: 0 }
    expect((await findMesh(answering([0, 0, 0], logit), picture, region)).presence).toBeCloseTo(presence, 3)
  })
})

describe('the aligned face', () => {
  test.each([{}, { roll: 25 }, { roll: -40 }])(
    'of a head at %j has level eyes at the position of the template',
    (pose) => {
      const mesh = meshAt(pose, { centreX: 500, pixelsPerUnit: 20 })
      const map = alignment(mesh)
      const eyes = [
        [33, 133, 159, 145],
        [362, 263, 386, 374],
      ].map((indices) => meanPoint(mesh.points, indices))
      const [right, left] = [transform(map, 38.3, 51.7), transform(map, 73.5, 51.5)]
      const size = Math.hypot(eyes[1]!.x - eyes[0]!.x, eyes[1]!.y - eyes[0]!.y)
      expect(Math.hypot(right.x - eyes[0]!.x, right.y - eyes[0]!.y)).toBeLessThan(0.15 * size)
      expect(Math.hypot(left.x - eyes[1]!.x, left.y - eyes[1]!.y)).toBeLessThan(0.15 * size)
    },
  )
})

describe('the box of a mesh', () => {
  test('is a square around its centre', () => {
    const mesh = meshAt({})
    const inner = boundingBox(mesh.points)
    const box = boxOfMesh(mesh)
    expect(box.width).toBe(box.height)
    expect(box.width).toBe(Math.max(inner.width, inner.height))
    expect(box.x + box.width / 2).toBeCloseTo(inner.x + inner.width / 2)
  })
})
