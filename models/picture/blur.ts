import { kernelThatHolds, type PictureKernel } from './kernel/open-kernel.ts'

/** Radius of the Gaussian in pixels. */
const reach = 3

type Taps = readonly [number, number, number, number, number, number, number]

function gaussian(sigma: number): Taps {
  const taps = Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.exp(-((i - reach) ** 2) / (2 * sigma ** 2)),
  )
  const sum = taps.reduce((total, tap) => total + tap, 0)
  return taps.map((tap) => tap / sum) as unknown as Taps
}

/** Planes of pixels stored one after another, each row by row. */
export interface Planes {
  readonly width: number
  readonly height: number
}

/**
 * Applies a Gaussian blur with this deviation in pixels, first along rows, then along columns; edges repeat.
 * `between` and `to` have the length of `from` and are overwritten.
 */
export function blur(
  from: Float32Array,
  between: Float32Array,
  to: Float32Array,
  { width, height }: Planes,
  sigma: number,
  kernel?: PictureKernel,
): void {
  const taps = gaussian(sigma)
  const holder = width % 4 === 0 ? kernelThatHolds(kernel, from, between, to) : undefined
  if (holder !== undefined) {
    blurIn(holder, from, between, to, { width, height }, taps)
    return
  }
  for (let row = 0; row < from.length; row += width) blurRow(from, between, row, row + width - 1, taps)
  const plane = width * height
  for (let first = 0; first < from.length; first += plane) {
    for (let y = 0; y < height; y++) mixRows(between, to, first, y, { width, height }, taps)
  }
}

function blurIn(
  kernel: PictureKernel,
  from: Float32Array,
  between: Float32Array,
  to: Float32Array,
  { width, height }: Planes,
  [a, b, c, d]: Taps,
): void {
  kernel.blurRows(from.byteOffset, between.byteOffset, width, from.length / width, a, b, c, d)
  const plane = Float32Array.BYTES_PER_ELEMENT * width * height
  for (let first = 0; first < from.byteLength; first += plane)
    kernel.blurColumns(between.byteOffset + first, to.byteOffset + first, width, height, a, b, c, d)
}

function blurRow(from: Float32Array, to: Float32Array, start: number, last: number, taps: Taps): void {
  const [a, b, c, d, e, f, g] = taps
  for (let i = start; i <= last; i++) {
    if (i - start >= reach && last - i >= reach) {
      to[i] =
        from[i - 3]! * a +
        from[i - 2]! * b +
        from[i - 1]! * c +
        from[i]! * d +
        from[i + 1]! * e +
        from[i + 2]! * f +
        from[i + 3]! * g
      continue
    }
    let sum = 0
    for (let k = -reach; k <= reach; k++)
      sum += from[Math.max(start, Math.min(last, i + k))]! * taps[k + reach]!
    to[i] = sum
  }
}

function mixRows(
  from: Float32Array,
  to: Float32Array,
  first: number,
  y: number,
  { width, height }: Planes,
  taps: Taps,
): void {
  const [a, b, c, d, e, f, g] = taps
  const row = (k: number) => first + Math.max(0, Math.min(height - 1, y + k)) * width
  const [p, q, r, s, t, u, v] = [row(-3), row(-2), row(-1), row(0), row(1), row(2), row(3)]
  for (let x = 0; x < width; x++) {
    to[s + x] =
      from[p + x]! * a +
      from[q + x]! * b +
      from[r + x]! * c +
      from[s + x]! * d +
      from[t + x]! * e +
      from[u + x]! * f +
      from[v + x]! * g
  }
}
