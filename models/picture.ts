import type { Frame } from './frame.ts'
import { type Affine, type Region, regionToPicture } from './geometry.ts'
import type { Tensor } from './session.ts'

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
  readonly rgba: Uint8ClampedArray | Uint8Array
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

  constructor(frame: Frame) {
    this.width = frame.width
    this.height = frame.height
    this.#levels = [frame]
  }

  /** The square region as a [1, C, size, size] tensor. Outside the picture is black. */
  crop(region: Region, feed: Feed): Tensor {
    return this.warp(regionToPicture(region, feed.size), feed)
  }

  /** As `crop`, for a rectangle that is squeezed into the square input. */
  stretch(box: { x: number; y: number; width: number; height: number }, feed: Feed): Tensor {
    return this.warp([box.width / feed.size, 0, box.x, 0, box.height / feed.size, box.y], feed)
  }

  /** As `crop`, for any map from crop pixels to picture pixels. */
  warp(map: Affine, feed: Feed): Tensor {
    const { size, channels } = feed
    const plane = size * size
    const data = new Float32Array(plane * (channels === 'grey' ? 1 : 3))
    const level = this.#levelFor(map)
    if (channels === 'grey') sampleGrey(level.source, level.map, feed, data)
    else sampleColour(level.source, level.map, feed, data)
    return { data, dims: [1, channels === 'grey' ? 1 : 3, size, size] }
  }

  /** Mean luminance 0...255 of the whole picture, from the smallest level that still has 32 pixels a side. */
  meanLuminance(): number {
    let index = 0
    while (Math.min(this.#level(index).width, this.#level(index).height) >= 64) index++
    const { rgba, width, height } = this.#level(index)
    let sum = 0
    for (let i = 0; i < width * height * 4; i += 4) sum += luminance(rgba[i]!, rgba[i + 1]!, rgba[i + 2]!)
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
    const made = halve(this.#level(index - 1))
    this.#levels[index] = made
    return made
  }
}

/** ITU-R BT.601 luma of one pixel. */
export function luminance(red: number, green: number, blue: number): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue
}

function halve(level: Level): Level {
  const width = level.width >> 1
  const height = level.height >> 1
  const from = level.rgba
  const stride = level.width * 4
  const to = new Uint8Array(width * height * 4)
  for (let y = 0, o = 0; y < height; y++) {
    let i = 2 * y * stride
    for (let x = 0; x < width; x++, i += 8, o += 4) {
      to[o] = (from[i]! + from[i + 4]! + from[i + stride]! + from[i + stride + 4]! + 2) >> 2
      to[o + 1] = (from[i + 1]! + from[i + 5]! + from[i + stride + 1]! + from[i + stride + 5]! + 2) >> 2
      to[o + 2] = (from[i + 2]! + from[i + 6]! + from[i + stride + 2]! + from[i + stride + 6]! + 2) >> 2
    }
  }
  return { width, height, rgba: to }
}

function sampleColour(source: Level, map: Affine, feed: Feed, out: Float32Array): void {
  const { width, height, rgba } = source
  const { size, scale, offset } = feed
  const plane = size * size
  const first = feed.channels === 'RGB' ? 0 : 2 * plane
  const third = feed.channels === 'RGB' ? 2 * plane : 0
  const stride = width * 4
  for (let v = 0, o = 0; v < size; v++) {
    let x = map[0] * 0.5 + map[1] * (v + 0.5) + map[2] - 0.5
    let y = map[3] * 0.5 + map[4] * (v + 0.5) + map[5] - 0.5
    for (let u = 0; u < size; u++, o++, x += map[0], y += map[3]) {
      const left = Math.floor(x)
      const top = Math.floor(y)
      let red = 0
      let green = 0
      let blue = 0
      if (left >= 0 && top >= 0 && left < width - 1 && top < height - 1) {
        const fx = x - left
        const fy = y - top
        const i = top * stride + left * 4
        const j = i + stride
        const w00 = (1 - fx) * (1 - fy)
        const w10 = fx * (1 - fy)
        const w01 = (1 - fx) * fy
        const w11 = fx * fy
        red = rgba[i]! * w00 + rgba[i + 4]! * w10 + rgba[j]! * w01 + rgba[j + 4]! * w11
        green = rgba[i + 1]! * w00 + rgba[i + 5]! * w10 + rgba[j + 1]! * w01 + rgba[j + 5]! * w11
        blue = rgba[i + 2]! * w00 + rgba[i + 6]! * w10 + rgba[j + 2]! * w01 + rgba[j + 6]! * w11
      } else if (left >= -1 && top >= -1 && left < width && top < height) {
        const i = Math.min(Math.max(top, 0), height - 1) * stride + Math.min(Math.max(left, 0), width - 1) * 4
        red = rgba[i]!
        green = rgba[i + 1]!
        blue = rgba[i + 2]!
      }
      out[o + first] = red * scale + offset
      out[o + plane] = green * scale + offset
      out[o + third] = blue * scale + offset
    }
  }
}

function sampleGrey(source: Level, map: Affine, feed: Feed, out: Float32Array): void {
  const { size } = feed
  const colour = new Float32Array(size * size * 3)
  sampleColour(source, map, { ...feed, channels: 'RGB', scale: 1, offset: 0 }, colour)
  const plane = size * size
  for (let i = 0; i < plane; i++) {
    out[i] = luminance(colour[i]!, colour[i + plane]!, colour[i + 2 * plane]!) * feed.scale + feed.offset
  }
}
