import { describe, expect, test } from 'vitest'
import { surfaceOf } from '#models/measures/surface.ts'
import { Picture } from '#models/picture/picture.ts'
import { fitFace } from '#models/rules/face/pose.ts'
import canonicalFace from '#models/weights/canonical-face.json' with { type: 'json' }

const canonical = canonicalFace as unknown as Parameters<typeof fitFace>[1]
const size = 400
const scale = 12

/** A face in the middle of a picture that becomes brighter to the right. */
function faceAt(yaw: number) {
  const [sin, cos] = [Math.sin((yaw * Math.PI) / 180), Math.cos((yaw * Math.PI) / 180)]
  const points = Float32Array.from(canonical.vertices, (_, i) => {
    const [x, y, z] = [0, 1, 2].map((axis) => canonical.vertices[i - (i % 3) + axis]!) as [
      number,
      number,
      number,
    ]
    return [size / 2 + scale * (x * cos + z * sin), size / 2 - scale * y, -scale * (z * cos - x * sin)][
      i % 3
    ]!
  })
  const rgba = new Uint8Array(size * size * 4).map((_, i) => 40 + ((i >> 2) % size) / 4)
  return {
    picture: new Picture({ width: size, height: size, rgba }),
    points,
    fit: fitFace({ points, presence: 1 }, canonical),
  }
}

const surfaceAt = (yaw: number) => {
  const { picture, points, fit } = faceAt(yaw)
  return { surface: surfaceOf(picture, points, fit), fit }
}

describe('a surface', () => {
  test('shows the face in its middle, 46 centimetres to a side', () => {
    const { surface, fit } = surfaceAt(0)
    expect(surface.grey).toHaveLength(128 * 128)
    expect(128 * surface.step).toBeCloseTo((128 / 2.75) * fit.scale)
    expect(surface.left + 64 * surface.step).toBeCloseTo(fit.centre.x)
    expect(surface.top + 64 * surface.step).toBeCloseTo(fit.centre.y)
    expect(surface).toMatchObject({ width: size, height: size })
    const luminanceAt = (x: number) => 40 + x / 4
    expect(surface.grey[64 * 128 + 64]).toBeCloseTo(luminanceAt(fit.centre.x), -0.5)
  })

  test('reads the brightness of the skin at its position', () => {
    const { skin } = surfaceAt(0).surface
    const seen = skin.filter((value) => !Number.isNaN(value))
    expect(seen.length).toBeGreaterThan(250)
    expect(Math.exp(Math.min(...seen))).toBeGreaterThan(40 + (size / 2 - 8 * scale) / 4 - 3)
    expect(Math.exp(Math.max(...seen))).toBeLessThan(40 + (size / 2 + 8 * scale) / 4 + 3)
  })

  test('leaves out skin that is turned away', () => {
    const seenAt = (yaw: number) => surfaceAt(yaw).surface.skin.filter((value) => !Number.isNaN(value)).length
    expect(seenAt(30)).toBeLessThan(seenAt(0))
    expect(seenAt(60)).toBeLessThan(0.8 * seenAt(0))
  })
})
