import { type Feed, pixelsOfFeed } from './feed.ts'
import type { Affine } from './geometry.ts'
import { kernelThatHolds, type PictureKernel } from './kernel/open-kernel.ts'

/** A picture at one level of the pyramid. */
export interface Level {
  readonly width: number
  readonly height: number
  /** One word per pixel, red in the lowest byte; assumes a little-endian machine. */
  readonly pixels: Uint32Array
}

/** The offset of each colour channel in a network's input. */
function planesOf(feed: Feed): readonly [red: number, green: number, blue: number] {
  const plane = pixelsOfFeed(feed)
  return feed.channels === 'BGR' ? [2 * plane, plane, 0] : [0, plane, 2 * plane]
}

/** Writes a half-size copy to `to`. Each pixel is the rounded mean of four. */
export function halve(level: Level, to: Uint32Array, kernel?: PictureKernel): Level {
  const { width, height, pixels } = level
  const holder = kernelThatHolds(kernel, pixels, to)
  if (holder === undefined) halveInScript(level, to)
  else holder.halve(pixels.byteOffset, width, height, to.byteOffset)
  return { width: width >> 1, height: height >> 1, pixels: to }
}

/**
 * Writes a colour crop to `out`, one plane after another, with bilinear interpolation and black outside the picture.
 * [Note: A kernel and its script] If the data is in the kernel's memory, the kernel processes it with 32-bit numbers. Otherwise it is processed here
 * with 64 bits, so the results differ by rounding errors.
 */
export function sample(
  level: Level,
  map: Affine,
  feed: Feed,
  out: Float32Array,
  kernel?: PictureKernel,
): void {
  const holder = kernelThatHolds(kernel, level.pixels, out)
  if (holder === undefined) {
    sampleInScript(level, map, feed, out)
    return
  }
  const { size, rows = size, scale, offset } = feed
  const planes = planesOf(feed).map((start) => out.byteOffset + 4 * start)
  holder.sample(
    level.pixels.byteOffset,
    level.width,
    level.height,
    ...map,
    size,
    rows,
    scale,
    offset,
    ...planes,
  )
}

/** A pixel's ITU-R BT.601 luma. */
export function luminance(red: number, green: number, blue: number): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue
}

/** Writes a colour crop's luma, times `scale` plus `offset`, to `out`. */
export function greyOf(crop: Float32Array, feed: Feed, out: Float32Array, kernel?: PictureKernel): void {
  const { scale, offset } = feed
  const count = pixelsOfFeed(feed)
  const [red, green, blue] = planesOf(feed)
  const holder = count % 4 === 0 ? kernelThatHolds(kernel, crop, out) : undefined
  if (holder !== undefined) {
    const planes = [red, green, blue].map((start) => crop.byteOffset + 4 * start)
    holder.grey(...planes, count, scale, offset, out.byteOffset)
    return
  }
  for (let i = 0; i < count; i++)
    out[i] = luminance(crop[i + red]!, crop[i + green]!, crop[i + blue]!) * scale + offset
}

/** Adds up two of a pixel's channels at a time. */
function halveInScript(level: Level, to: Uint32Array): void {
  const width = level.width >> 1
  const height = level.height >> 1
  const from = level.pixels
  const stride = level.width
  for (let y = 0, o = 0; y < height; y++) {
    let i = 2 * y * stride
    for (let x = 0; x < width; x++, i += 2, o++) {
      const a = from[i]!
      const b = from[i + 1]!
      const c = from[i + stride]!
      const d = from[i + stride + 1]!
      const even = (a & pair) + (b & pair) + (c & pair) + (d & pair) + half
      const odd = ((a >>> 8) & pair) + ((b >>> 8) & pair) + ((c >>> 8) & pair) + ((d >>> 8) & pair) + half
      to[o] = ((even >>> 2) & pair) | (((odd >>> 2) & pair) << 8)
    }
  }
}

const pair = 0x00ff00ff
const half = 0x00020002

function sampleInScript(source: Level, map: Affine, feed: Feed, out: Float32Array): void {
  const { width, height, pixels } = source
  const { size, rows = size, scale, offset } = feed
  const [first, second, third] = planesOf(feed)
  const [a, b, tx, c, d, ty] = map
  for (let v = 0, o = 0; v < rows; v++) {
    let x = a * 0.5 + b * (v + 0.5) + tx - 0.5
    let y = c * 0.5 + d * (v + 0.5) + ty - 0.5
    for (let u = 0; u < size; u++, o++, x += a, y += c) {
      let red = 0
      let green = 0
      let blue = 0
      if (x >= 0 && y >= 0 && x < width - 1 && y < height - 1) {
        const left = x | 0
        const top = y | 0
        const fx = x - left
        const fy = y - top
        const i = top * width + left
        const p = pixels[i]!
        const q = pixels[i + 1]!
        const r = pixels[i + width]!
        const s = pixels[i + width + 1]!
        const w00 = (1 - fx) * (1 - fy)
        const w10 = fx * (1 - fy)
        const w01 = (1 - fx) * fy
        const w11 = fx * fy
        red = (p & 255) * w00 + (q & 255) * w10 + (r & 255) * w01 + (s & 255) * w11
        green =
          ((p >>> 8) & 255) * w00 +
          ((q >>> 8) & 255) * w10 +
          ((r >>> 8) & 255) * w01 +
          ((s >>> 8) & 255) * w11
        blue =
          ((p >>> 16) & 255) * w00 +
          ((q >>> 16) & 255) * w10 +
          ((r >>> 16) & 255) * w01 +
          ((s >>> 16) & 255) * w11
      } else if (x >= -1 && y >= -1 && x < width && y < height) {
        const column = Math.min(Math.max(Math.floor(x), 0), width - 1)
        const row = Math.min(Math.max(Math.floor(y), 0), height - 1)
        const p = pixels[row * width + column]!
        red = p & 255
        green = (p >>> 8) & 255
        blue = (p >>> 16) & 255
      }
      out[o + first] = red * scale + offset
      out[o + second] = green * scale + offset
      out[o + third] = blue * scale + offset
    }
  }
}
