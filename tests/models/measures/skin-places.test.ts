import { expect, test } from 'vitest'
import { skinPlaces } from '#models/measures/skin-places.ts'
import canonical from '#models/weights/canonical-face.json' with { type: 'json' }

const at = (axis: number) =>
  skinPlaces().map(({ corners, shares }) =>
    corners.reduce((sum, corner, k) => sum + shares[k]! * canonical.vertices[3 * corner + axis]!, 0),
  )

test('some 330 places lie on the face, half of them on either side', () => {
  const across = at(0)
  expect(across.length).toBeGreaterThan(300)
  expect(across.length).toBeLessThan(360)
  expect(across.filter((x) => x > 0.1).length).toBe(across.filter((x) => x < -0.1).length)
  for (const { shares } of skinPlaces()) expect(shares[0] + shares[1] + shares[2]).toBeCloseTo(1)
})

test('none lies on an eye or on the lips', () => {
  const [across, up] = [at(0), at(1)]
  const near = (landmark: number) =>
    across.filter(
      (x, i) =>
        Math.hypot(x - canonical.vertices[3 * landmark]!, up[i]! - canonical.vertices[3 * landmark + 1]!) <
        0.4,
    )
  for (const landmark of [159, 145, 33, 133, 386, 263, 13, 61, 291, 105]) expect(near(landmark)).toEqual([])
})
