import { type Feed, pixelsOfFeed } from './feed.ts'
import { type Frame, rgbaOf } from './frame.ts'
import { type Affine, type Region, regionToPicture } from './geometry.ts'
import { type PictureMemory, scriptMemory } from './picture-memory.ts'
import { greyOf, halve, type Level, luminance, sample } from './resample.ts'
import type { Tensor } from './tensor.ts'

/**
 * A frame that can be sampled at any size. Shrinking reads from a pyramid of halved pictures, so that every crop is free
 * of aliasing at the cost of one bilinear look-up per pixel.
 *
 * [Note: One resampler everywhere] Canvas, sharp and the networks' own tools each resize differently, so the same picture
 * would give different answers in the browser and on the server. All resampling happens here.
 */
export class Picture {
  readonly width: number
  readonly height: number
  readonly #levels: Level[]
  readonly #memory: PictureMemory

  /** The memory must not have anything on loan. */
  constructor(frame: Frame, memory: PictureMemory = scriptMemory()) {
    this.width = frame.width
    this.height = frame.height
    this.#memory = memory
    const pixels = memory.makeRoomFor(frame) ? pixelsInKernel(frame, memory) : pixelsOf(frame)
    this.#levels = [{ width: frame.width, height: frame.height, pixels }]
  }

  /** The kernel that processes the memory lent by this picture. */
  get kernel(): PictureMemory['kernel'] {
    return this.#memory.kernel
  }

  /** Crops a square region into a [1, C, size, size] tensor. Anything outside the picture is black. */
  crop(region: Region, feed: Feed): Tensor {
    return this.warp(regionToPicture(region, feed.size), feed)
  }

  /** Like `crop`, but squeezes a rectangle into the square input. */
  stretch(box: { x: number; y: number; width: number; height: number }, feed: Feed): Tensor {
    return this.warp([box.width / feed.size, 0, box.x, 0, box.height / feed.size, box.y], feed)
  }

  /** Like `crop`, but for any map from crop pixels to picture pixels. Writes to `into` if given. */
  warp(map: Affine, feed: Feed, into?: Float32Array): Tensor {
    const { size, rows = size, channels } = feed
    const data = into ?? this.lend(lengthOf(feed))
    const level = this.#levelFor(map)
    if (channels === 'grey') this.#sampleGrey(level.source, level.map, feed, data)
    else sample(level.source, level.map, feed, data, this.kernel)
    return { data, dims: [1, channels === 'grey' ? 1 : 3, rows, size] }
  }

  /** Lends uninitialised room for `count` numbers, valid until `takeBack`. */
  readonly lend = (count: number): Float32Array<ArrayBuffer> => this.#memory.crops.floats(count)

  /** Invalidates every crop and everything on loan. */
  takeBack(): void {
    this.#memory.crops.takeBack()
  }

  /** The mean luminance (0...255) of the whole picture, computed on the smallest level with at least 32 pixels per side. */
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

  #sampleGrey(source: Level, map: Affine, feed: Feed, out: Float32Array): void {
    const colour = this.lend(3 * pixelsOfFeed(feed))
    sample(source, map, { ...feed, channels: 'RGB', scale: 1, offset: 0 }, colour, this.kernel)
    greyOf(colour, feed, out, this.kernel)
  }

  #level(index: number): Level {
    const known = this.#levels[index]
    if (known !== undefined) return known
    const from = this.#level(index - 1)
    const pixels = this.#memory.levels.words((from.width >> 1) * (from.height >> 1))
    const made = halve(from, pixels, this.kernel)
    this.#levels[index] = made
    return made
  }
}

/** The number of values in one crop. */
function lengthOf(feed: Feed): number {
  return pixelsOfFeed(feed) * (feed.channels === 'grey' ? 1 : 3)
}

/** The frame's pixels as words. Copies them only if they are not aligned. */
function pixelsOf(frame: Frame): Uint32Array {
  const { rgba, width, height } = rgbaOf(frame)
  const bytes = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice()
  return new Uint32Array(bytes.buffer, bytes.byteOffset, width * height)
}

/** Copies the pixels into the kernel's memory, which must have room for them. */
function pixelsInKernel(frame: Frame, { levels, crops, kernel }: PictureMemory): Uint32Array {
  const count = frame.width * frame.height
  const pixels = levels.words(count)
  if ('rgba' in frame) new Uint8Array(pixels.buffer, pixels.byteOffset, 4 * count).set(frame.rgba)
  else {
    const bytes = crops.floats(Math.ceil((3 * count) / 4))
    new Uint8Array(bytes.buffer, bytes.byteOffset, 3 * count).set(frame.rgb)
    kernel!.widen(bytes.byteOffset, count, pixels.byteOffset)
    crops.takeBack()
  }
  return pixels
}
