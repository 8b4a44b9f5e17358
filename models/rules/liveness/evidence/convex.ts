/** Points in the plane as alternating x and y values. */
export type PlanePoints = readonly number[]

/** The convex hull (Andrew 1979, monotone chain), with its points in order around it. */
export function hullOf(points: PlanePoints): number[] {
  const order = Array.from({ length: points.length / 2 }, (_, i) => i).sort(
    (a, b) => points[2 * a]! - points[2 * b]! || points[2 * a + 1]! - points[2 * b + 1]!,
  )
  const lower = chain(points, order)
  const upper = chain(points, order.reverse())
  return [...lower.slice(0, -1), ...upper.slice(0, -1)].flatMap((i) => [points[2 * i]!, points[2 * i + 1]!])
}

function chain(points: PlanePoints, order: readonly number[]): number[] {
  const kept: number[] = []
  for (const i of order) {
    while (kept.length >= 2 && cross(points, kept.at(-2)!, kept.at(-1)!, i) <= 0) kept.pop()
    kept.push(i)
  }
  return kept
}

function cross(points: PlanePoints, o: number, a: number, b: number): number {
  const [ox, oy] = [points[2 * o]!, points[2 * o + 1]!]
  return (points[2 * a]! - ox) * (points[2 * b + 1]! - oy) - (points[2 * a + 1]! - oy) * (points[2 * b]! - ox)
}

/** Scales a polygon about the mean of its corners. */
export function grown(polygon: PlanePoints, factor: number): number[] {
  const count = polygon.length / 2
  const centre = [0, 1].map((axis) => {
    let sum = 0
    for (let i = axis; i < polygon.length; i += 2) sum += polygon[i]!
    return sum / count
  })
  return polygon.map((value, i) => centre[i & 1]! + (value - centre[i & 1]!) * factor)
}

/** Sets `mask` (side x side, row by row) to `value` for every pixel whose centre is inside a convex polygon. */
export function fillConvex(mask: Uint8Array, side: number, polygon: PlanePoints, value: number): void {
  for (let row = 0; row < side; row++) {
    const [from, to] = spanAt(polygon, row + 0.5)
    const first = Math.max(0, Math.ceil(from - 0.5))
    const last = Math.min(side - 1, Math.floor(to - 0.5))
    if (last >= first) mask.fill(value, row * side + first, row * side + last + 1)
  }
}

/** The interval in which a horizontal line crosses a convex polygon, or an empty one if it misses it. */
function spanAt(polygon: PlanePoints, y: number): readonly [number, number] {
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  for (let i = 0; i < polygon.length; i += 2) {
    const next = (i + 2) % polygon.length
    const [x0, y0, x1, y1] = [polygon[i]!, polygon[i + 1]!, polygon[next]!, polygon[next + 1]!]
    if (y0 <= y === y1 <= y) continue
    const x = x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)
    from = Math.min(from, x)
    to = Math.max(to, x)
  }
  return [from, to]
}
