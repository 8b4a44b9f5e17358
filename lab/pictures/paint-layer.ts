import { copyPixel, type Points } from './paint-mesh.ts'
import type { Raster } from './raster.ts'

/** A mesh to cut out of a picture at `from` and paint at `to`. */
export interface Layer {
  /** Three corner indices per triangle. */
  readonly triangles: Uint32Array
  readonly from: Points
  /** Includes the depth, so that near triangles hide far ones. */
  readonly to: Points
  /** A light factor and an opacity for each corner. Both default to 1. */
  readonly light?: Float32Array
  readonly cover?: Float32Array
}

/** The tolerance for a corner's weight. It makes neighbouring triangles overlap, so that there is no seam. */
const overlap = 0.02

/** Receives each pixel of a triangle with the weights of its three corners. */
type Put = (pixel: number, u: number, v: number, w: number) => void

/** Paints a layer over a picture, starting with the farthest triangles. */
export function paintLayer(onto: Raster, source: Raster, layer: Layer): void {
  const { from, light, cover } = layer
  eachPixel(layer, onto.width, onto.height, (a, b, c) => {
    const corners = (values: Float32Array, stride = 1, axis = 0): Three => [
      values[stride * a + axis]!,
      values[stride * b + axis]!,
      values[stride * c + axis]!,
    ]
    const [xa, xb, xc] = corners(from, 3)
    const [ya, yb, yc] = corners(from, 3, 1)
    const [la, lb, lc] = light === undefined ? whole : corners(light)
    const [ca, cb, cc] = cover === undefined ? whole : corners(cover)
    const isWhole = ca === 1 && cb === 1 && cc === 1
    return (pixel, u, v, w) => {
      const share = isWhole ? 1 : Math.max(0, Math.min(1, u * ca + v * cb + w * cc))
      const x = u * xa + v * xb + w * xc
      const y = u * ya + v * yb + w * yc
      const gain = light === undefined ? 1 : u * la + v * lb + w * lc
      copyPixel(onto, 3 * pixel, source, x, y, gain, share)
    }
  })
}

type Three = readonly [number, number, number]
const whole: Three = [1, 1, 1]

/** How much of each pixel the layer covers, 0...1. */
export function coverOf(
  layer: Layer & { readonly cover: Float32Array },
  width: number,
  height: number,
): Float32Array {
  const covered = new Float32Array(width * height)
  const { cover } = layer
  eachPixel(layer, width, height, (a, b, c) => (pixel, u, v, w) => {
    covered[pixel] = Math.max(covered[pixel]!, u * cover[a]! + v * cover[b]! + w * cover[c]!)
  })
  return covered
}

function eachPixel(
  { triangles, to }: Layer,
  width: number,
  height: number,
  putOf: (a: number, b: number, c: number) => Put,
): void {
  const depth = (t: number) => [0, 1, 2].reduce((sum, k) => sum + to[3 * triangles[3 * t + k]! + 2]!, 0)
  const order = Array.from({ length: triangles.length / 3 }, (_, t) => [t, depth(t)] as const)
  order.sort((a, b) => b[1] - a[1])
  for (const [t] of order) {
    const [a, b, c] = [triangles[3 * t]!, triangles[3 * t + 1]!, triangles[3 * t + 2]!]
    fill(to, a, b, c, width, height, putOf(a, b, c))
  }
}

function fill(to: Points, a: number, b: number, c: number, width: number, height: number, put: Put): void {
  const [ax, ay, bx, by, cx, cy] = [a, b, c].flatMap((i) => [to[3 * i]!, to[3 * i + 1]!]) as Six
  const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
  if (Math.abs(area) < 1e-3) return
  const right = Math.min(width - 1, Math.ceil(Math.max(ax, bx, cx)))
  const bottom = Math.min(height - 1, Math.ceil(Math.max(ay, by, cy)))
  for (let y = Math.max(0, Math.floor(Math.min(ay, by, cy))); y <= bottom; y++) {
    for (let x = Math.max(0, Math.floor(Math.min(ax, bx, cx))); x <= right; x++) {
      const v = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
      const w = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
      const u = 1 - v - w
      if (u >= -overlap && v >= -overlap && w >= -overlap) put(y * width + x, u, v, w)
    }
  }
}

type Six = [number, number, number, number, number, number]
