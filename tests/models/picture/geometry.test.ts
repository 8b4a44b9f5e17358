import { describe, expect, test } from 'vitest'
import {
  type Affine,
  centroid,
  invert,
  overlap,
  regionToPicture,
  similarity,
  transform,
} from '#models/picture/geometry.ts'

const near = (x: number, y: number) => ({ x: expect.closeTo(x, 6), y: expect.closeTo(y, 6) })

describe('invert', () => {
  test.each([[[2, 0, 5, 0, 3, -7]], [[0, -1, 10, 1, 0, 4]], [[1.5, 0.5, 3, -0.25, 0.75, 9]]] as [Affine][])(
    'maps every point back through %j',
    (map) => {
      const there = transform(map, 12, -34)
      expect(transform(invert(map), there.x, there.y)).toEqual(near(12, -34))
    },
  )
})

describe('regionToPicture', () => {
  const region = { centreX: 100, centreY: 50, side: 40, rotation: 0 }

  test('spans the square from corner to corner', () => {
    const map = regionToPicture(region, 20)
    expect(transform(map, 0, 0)).toEqual(near(80, 30))
    expect(transform(map, 20, 20)).toEqual(near(120, 70))
  })

  test('turns clockwise on the screen', () => {
    const map = regionToPicture({ ...region, rotation: Math.PI / 2 }, 20)
    expect(transform(map, 10, 10)).toEqual(near(100, 50))
    expect(transform(map, 20, 10)).toEqual(near(100, 70))
  })
})

describe('similarity', () => {
  const triangle = [
    { x: 0, y: 0 },
    { x: 4, y: 0 },
    { x: 0, y: 3 },
  ]

  test('recovers rotation, scale and shift', () => {
    const map: Affine = [1.2, -1.6, 7, 1.6, 1.2, -9]
    const found = similarity(
      triangle,
      triangle.map(({ x, y }) => transform(map, x, y)),
    )
    found.forEach((value, i) => {
      expect(value).toBeCloseTo(map[i]!, 9)
    })
  })

  test('never mirrors', () => {
    const [a, b, , c, d] = similarity(
      triangle,
      triangle.map(({ x, y }) => ({ x: -x, y })),
    )
    expect(a * d - b * c).toBeGreaterThan(0)
  })

  test('distributes an error evenly', () => {
    const to = triangle.map(({ x, y }, i) => ({ x: x + (i === 0 ? 0.3 : 0), y }))
    const map = similarity(triangle, to)
    expect(centroid(triangle.map(({ x, y }) => transform(map, x, y)))).toEqual(
      near(centroid(to).x, centroid(to).y),
    )
  })
})

describe('overlap', () => {
  const box = { x: 0, y: 0, width: 10, height: 10 }

  test.each([
    [{ x: 0, y: 0, width: 10, height: 10 }, 1],
    [{ x: 5, y: 0, width: 10, height: 10 }, 1 / 3],
    [{ x: 2, y: 2, width: 5, height: 5 }, 0.25],
    [{ x: 10, y: 0, width: 10, height: 10 }, 0],
    [{ x: -30, y: 4, width: 10, height: 10 }, 0],
  ])('with %j is %d', (other, share) => {
    expect(overlap(box, other)).toBeCloseTo(share)
    expect(overlap(other, box)).toBeCloseTo(share)
  })
})
