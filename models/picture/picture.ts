import type { Tensor } from '#models/networks/session.ts'
import type { Frame } from './frame.ts'
import { type Affine, type Region, regionToPicture } from './geometry.ts'
import { LentMemory } from './lent-memory.ts'

/** What a network is fed: side of its square input, order of its channels, and x * scale + offset for each byte. */
export interface Feed {
  readonly size: number
  readonly channels: 'RGB' | 'BGR' | 'grey'
  readonly scale: number
  readonly offset: number
}

interface Level {
  readonly width: number
  readonly height: number
  /** A pixel each, red in the lowest byte: every machine that runs this counts bytes from the low end. */
  readonly pixels: Uint32Array
}

/** What a picture is made in: its smaller copies, and what the networks are fed. */
export interface PictureMemory {
  readonly levels: LentMemory
  readonly crops: LentMemory
}

/**
 * A frame that can be sampled at any size. Shrinking reads from a pyramid of halved pictures, so that every crop is
 * free of aliasing at the cost of one bilinear look-up a pixel.
 *
 * [Note: One resampler everywhere] Canvas, sharp and the networks' own tools each resize differently; the same
 * picture would then give different answers in the browser and on the server. All resampling happens here.
 */
export class Picture {
  readonly width: number
  readonly height: number
  readonly #levels: Level[]
  readonly #memory: PictureMemory

  constructor(frame: Frame, memory: PictureMemory = { levels: new LentMemory(), crops: new LentMemory() }) {
    this.width = frame.width
    this.height = frame.height
    this.#memory = memory
    this.#levels = [{ width: frame.width, height: frame.height, pixels: pixelsOf(frame) }]
  }

  /** The square region as a [1, C, size, size] tensor. Outside the picture is black. */
  crop(region: Region, feed: Feed): Tensor {
    return this.warp(regionToPicture(region, feed.size), feed)
  }

  /** As `crop`, for a rectangle that is squeezed into the square input. */
  stretch(box: { x: number; y: number; width: number; height: number }, feed: Feed): Tensor {
    return this.warp([box.width / feed.size, 0, box.x, 0, box.height / feed.size, box.y], feed)
  }

  /** As `crop`, for any map from crop pixels to picture pixels; written to `into` where that is given. */
  warp(map: Affine, feed: Feed, into?: Float32Array): Tensor {
    const { size, channels } = feed
    const data = into ?? this.lend(lengthOf(feed))
    const level = this.#levelFor(map)
    if (channels === 'grey') sampleGrey(level.source, level.map, feed, data, this.lend(3 * size * size))
    else sampleColour(level.source, level.map, feed, data)
    return { data, dims: [1, channels === 'grey' ? 1 : 3, size, size] }
  }

  /** Room for so many numbers until `takeBack`. It holds anything at first. */
  lend(count: number): Float32Array<ArrayBuffer> {
    return this.#memory.crops.floats(count)
  }

  /** Every crop that was made, and all that was lent, may be written over from now on. */
  takeBack(): void {
    this.#memory.crops.takeBack()
  }

  /** Mean luminance 0...255 of the whole picture, from the smallest level that still has 32 pixels a side. */
  meanLuminance(): number {
    let index = 0
    while (Math.min(this.#level(index).width, this.#level(index).height) >= 64) index++
    const { pixels, width, height } = this.#level(index)
    let sum = 0
    for (const pixel of pixels) sum += luminance(pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255)
    return sum / (width * height)
  }

  #levelFor(map: Affine): { source: Level; map: Affine } {
    const shrink = Math.sqrt(Math.abs(map[0] * map[4] - map[1] * map[3]))
    const wanted = Math.max(0, Math.round(Math.log2(shrink)))
    let index = 0
    while (index < wanted && Math.min(this.#level(index).width, this.#level(index).height) >= 2) index++
    const factor = 1 / 2 ** index
    const [a, b, tx, c, d, ty] = map
    return {
      source: this.#level(index),
      map: [a * factor, b * factor, tx * factor, c * factor, d * factor, ty * factor],
    }
  }

  #level(index: number): Level {
    const known = this.#levels[index]
    if (known !== undefined) return known
    const from = this.#level(index - 1)
    const pixels = this.#memory.levels.words((from.width >> 1) * (from.height >> 1))
    const made = halve(from, pixels)
    this.#levels[index] = made
    return made
  }
}

/** Numbers of one crop. */
export function lengthOf({ size, channels }: Feed): number {
  return size * size * (channels === 'grey' ? 1 : 3)
}

/** The bytes of the frame, four at a time; copied only where they do not start at a multiple of four. */
function pixelsOf({ rgba, width, height }: Frame): Uint32Array {
  const bytes = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice()
  return new Uint32Array(bytes.buffer, bytes.byteOffset, width * height)
}

/** ITU-R BT.601 luma of one pixel. */
export function luminance(red: number, green: number, blue: number): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue
}

/** Half the size; each pixel the rounded mean of four. Two channels of a pixel are added up at a time. */
function halve(level: Level, to: Uint32Array): Level {
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
  return { width, height, pixels: to }
}

const pair = 0x00ff00ff
const half = 0x00020002

function sampleColour(source: Level, map: Affine, feed: Feed, out: Float32Array): void {
  const { width, height, pixels } = source
  const { size, scale, offset } = feed
  const plane = size * size
  const first = feed.channels === 'RGB' ? 0 : 2 * plane
  const third = feed.channels === 'RGB' ? 2 * plane : 0
  const [a, b, tx, c, d, ty] = map
  for (let v = 0, o = 0; v < size; v++) {
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
      out[o + plane] = green * scale + offset
      out[o + third] = blue * scale + offset
    }
  }
}

function sampleGrey(source: Level, map: Affine, feed: Feed, out: Float32Array, colour: Float32Array): void {
  const { size } = feed
  sampleColour(source, map, { ...feed, channels: 'RGB', scale: 1, offset: 0 }, colour)
  const plane = size * size
  for (let i = 0; i < plane; i++) {
    out[i] = luminance(colour[i]!, colour[i + plane]!, colour[i + 2 * plane]!) * feed.scale + feed.offset
  }
}
