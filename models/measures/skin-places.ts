import canonical from '#models/weights/canonical-face.json' with { type: 'json' }

/** A point on the skin, given by the corners of its mesh triangle and their weights, which add up to 1. */
export interface SkinPlace {
  readonly corners: readonly [number, number, number]
  readonly shares: readonly [number, number, number]
}

/** The number of points along the face's larger dimension. */
const perSide = 24

/** Landmark outlines of the lips, eyes and brows, which move or shine on their own. */
const features: readonly (readonly number[])[] = [
  [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185],
  [33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246],
  [263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466],
  [70, 63, 105, 66, 107, 55, 65, 52, 53, 46],
  [300, 293, 334, 296, 336, 285, 295, 282, 283, 276],
]
/** The minimum distance from any feature, in units of the canonical face (about a centimetre). */
const awayFromFeatures = 0.45
/** Twice the minimum triangle area, in the same units squared. */
const leastArea = 0.02

let known: readonly SkinPlace[] | undefined

/** About 330 evenly spaced points on the skin of the canonical face, seen from the front. */
export function skinPlaces(): readonly SkinPlace[] {
  known ??= find()
  return known
}

const { vertices } = canonical
const x = (i: number) => vertices[3 * i]!
const y = (i: number) => vertices[3 * i + 1]!
const indices = Array.from({ length: vertices.length / 3 }, (_, i) => i)

function find(): SkinPlace[] {
  const [left, right] = [Math.min(...indices.map(x)), Math.max(...indices.map(x))]
  const [bottom, top] = [Math.min(...indices.map(y)), Math.max(...indices.map(y))]
  const step = Math.max(right - left, top - bottom) / perSide
  const places: SkinPlace[] = []
  for (let v = bottom + step / 2; v < top; v += step) {
    for (let u = left + step / 2; u < right; u += step) {
      const place = isFeature(u, v) ? undefined : placeAt(u, v)
      if (place !== undefined) places.push(place)
    }
  }
  return places
}

/** How many landmarks near a point are searched for its triangle. */
const nearby = 8

/** The smallest triangle of nearby landmarks that contains the point, or undefined if it is outside the face. */
function placeAt(u: number, v: number): SkinPlace | undefined {
  const near = [...indices].sort((a, b) => distance(a, u, v) - distance(b, u, v)).slice(0, nearby)
  let best: (SkinPlace & { readonly area: number }) | undefined
  for (const [i, a] of near.entries()) {
    for (const [j, b] of near.slice(i + 1).entries()) {
      for (const c of near.slice(i + j + 2)) {
        const place = within(a, b, c, u, v)
        if (place !== undefined && place.area < (best?.area ?? Number.POSITIVE_INFINITY)) best = place
      }
    }
  }
  return best && { corners: best.corners, shares: best.shares }
}

/** The point in barycentric coordinates, or undefined if it is outside the triangle or the triangle is nearly degenerate. */
function within(a: number, b: number, c: number, u: number, v: number) {
  const area = (x(b) - x(a)) * (y(c) - y(a)) - (x(c) - x(a)) * (y(b) - y(a))
  if (Math.abs(area) < leastArea) return undefined
  const second = ((u - x(a)) * (y(c) - y(a)) - (x(c) - x(a)) * (v - y(a))) / area
  const third = ((x(b) - x(a)) * (v - y(a)) - (u - x(a)) * (y(b) - y(a))) / area
  const shares = [1 - second - third, second, third] as const
  return Math.min(...shares) < 0 ? undefined : { corners: [a, b, c] as const, shares, area: Math.abs(area) }
}

function distance(i: number, u: number, v: number): number {
  return Math.hypot(x(i) - u, y(i) - v)
}

/** True if a point is inside or close to a feature's outline. */
function isFeature(u: number, v: number): boolean {
  return features.some((outline) => isInside(outline, u, v) || isNear(outline, u, v))
}

function isNear(outline: readonly number[], u: number, v: number): boolean {
  return outline.some((i) => distance(i, u, v) < awayFromFeatures)
}

/** Counts the edges to the right of the point (ray casting). */
function isInside(outline: readonly number[], u: number, v: number): boolean {
  let inside = false
  for (const [k, i] of outline.entries()) {
    const j = outline.at(k - 1)!
    if (y(i) > v !== y(j) > v && u < ((x(j) - x(i)) * (v - y(i))) / (y(j) - y(i)) + x(i)) inside = !inside
  }
  return inside
}
