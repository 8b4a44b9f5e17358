import { describe, expect, test } from 'vitest'
import { faceTriangles } from '#lab/pictures/face-triangles.ts'
import { cornersOf, paintMesh } from '#lab/pictures/paint-mesh.ts'
import { copyOf, type Raster } from '#lab/pictures/raster.ts'
import canonical from '#models/weights/canonical-face.json' with { type: 'json' }

const [width, height] = [200, 240]
/** Luminance that increases linearly from left to right, which makes bilinear sampling exact. */
const picture: Raster = {
  width,
  height,
  rgb: Uint8Array.from({ length: width * height * 3 }, (_, i) => Math.floor(i / 3) % width),
}
const points = Float32Array.from(canonical.vertices, (value, i) =>
  i % 3 === 0 ? 100 + 10 * value : (i % 3 === 1 ? 120 : 0) - 10 * value,
)
const at = ({ rgb }: Raster, x: number, y: number) => rgb[3 * (y * width + x)]!
const nose = { x: 100, y: 130 }

describe('the triangles of a face', () => {
  test('have all 468 points as corners', () => {
    expect(new Set(faceTriangles).size).toBe(468)
  })

  test('cover the face once', () => {
    const areaOf = (triangle: number) => {
      const [a, b, c] = cornersOf(triangle).map((i) => [points[3 * i]!, points[3 * i + 1]!]) as [
        number[],
        number[],
        number[],
      ]
      return Math.abs((b[0]! - a[0]!) * (c[1]! - a[1]!) - (c[0]! - a[0]!) * (b[1]! - a[1]!)) / 2
    }
    const area = Array.from({ length: faceTriangles.length / 3 }, (_, i) => areaOf(i)).reduce(
      (sum, one) => sum + one,
      0,
    )
    // The canonical face's hull at ten pixels per centimetre.
    expect(area).toBeGreaterThan(18_000)
    expect(area).toBeLessThan(25_000)
  })
})

describe('a painted mesh', () => {
  test('leaves the picture unchanged without movement', () => {
    const onto = copyOf(picture)
    paintMesh(onto, picture, points, points)
    const furthest = onto.rgb.reduce((most, value, i) => Math.max(most, Math.abs(value - picture.rgb[i]!)), 0)
    expect(furthest).toBeLessThanOrEqual(1)
  })

  test('moves the pixels inside it, and leaves those outside alone', () => {
    const onto = copyOf(picture)
    const moved = points.map((value, i) => (i % 3 === 0 ? value + 20 : value))
    paintMesh(onto, picture, points, moved)
    expect(at(onto, nose.x + 20, nose.y)).toBeCloseTo(at(picture, nose.x, nose.y), -0.5)
    expect(at(onto, 2, 2)).toBe(at(picture, 2, 2))
  })

  test('brightens each triangle by its gain', () => {
    const onto = copyOf(picture)
    paintMesh(onto, picture, points, points, new Float32Array(faceTriangles.length / 3).fill(1.5))
    expect(at(onto, nose.x, nose.y)).toBe(Math.floor(1.5 * at(picture, nose.x, nose.y)))
  })

  test('does not show triangles that face away', () => {
    const onto = copyOf(picture)
    const mirrored = points.map((value, i) => (i % 3 === 0 ? width - value : value))
    paintMesh(onto, picture, points, mirrored)
    expect(Buffer.compare(onto.rgb, picture.rgb)).toBe(0)
  })
})
