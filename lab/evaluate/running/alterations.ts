import type { RgbaFrame } from '../../../models/picture/frame.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'

/**
 * Alterations that a picture may undergo on its way from a screen to a network. All of them are pure: the same frame and settings give the same
 * result. They do not change the alpha channel.
 */
type Samples = Float32Array

/** Adds Gaussian noise of `sigma` grey levels to each channel. The same seed gives the same noise. */
export function noisy(frame: RgbaFrame, sigma: number, seed = 1): RgbaFrame {
  const next = randomNumbers(seed)
  return mapSamples(frame, (value) => value + sigma * normals[Math.floor(next() * normals.length)]!)
}

/** Convolves with a Gaussian of `sigma` pixels, repeating the border. */
export function blurred(frame: RgbaFrame, sigma: number): RgbaFrame {
  const taps = gaussian(sigma)
  const { width, height } = frame
  const rows = convolve(samplesOf(frame), width, height, 4, width * 4, taps)
  return frameOf(frame, convolve(rows, height, width, width * 4, 4, taps))
}

/** Applies an unsharp mask: adds `amount` times the difference from a Gaussian blur of `sigma` pixels. */
export function sharpened(frame: RgbaFrame, amount: number, sigma: number): RgbaFrame {
  const smooth = blurred(frame, sigma).rgba
  return mapSamples(frame, (value, i) => value + amount * (value - smooth[i]!))
}

/** Raises the light to the power of `gamma`. Values below 1 brighten the picture, and values above 1 darken it. */
export function gammaCorrected(frame: RgbaFrame, gamma: number): RgbaFrame {
  const table = Float32Array.from({ length: 256 }, (_, value) => 255 * (value / 255) ** gamma)
  return mapSamples(frame, (value) => table[value]!)
}

export function mirrored(frame: RgbaFrame): RgbaFrame {
  const { width, height } = frame
  const from = new Uint32Array(frame.rgba.slice().buffer)
  const to = new Uint32Array(from.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) to[y * width + x] = from[y * width + width - 1 - x]!
  }
  return { width, height, rgba: new Uint8Array(to.buffer) }
}

/** Takes the median of 3 x 3 pixels in each channel, which removes fine patterns but keeps edges. Leaves the border unchanged. */
export function medianFiltered({ width, height, rgba }: RgbaFrame): RgbaFrame {
  const to = Uint8Array.from(rgba)
  const near = new Uint8Array(9)
  const stride = width * 4
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * stride + 4; i < (y + 1) * stride - 4; i++) {
      if ((i & 3) === 3) continue
      for (let row = 0, at = i - stride - 4; row < 9; row += 3, at += stride) {
        near[row] = rgba[at]!
        near[row + 1] = rgba[at + 4]!
        near[row + 2] = rgba[at + 8]!
      }
      to[i] = medianOfNine(near)
    }
  }
  return { width, height, rgba: to }
}

/** Compare-exchange steps that move the median of nine values to the middle (Smith 1996), which is much faster than sorting. */
const exchanges = [
  1, 2, 4, 5, 7, 8, 0, 1, 3, 4, 6, 7, 1, 2, 4, 5, 7, 8, 0, 3, 5, 8, 4, 7, 3, 6, 1, 4, 2, 5, 4, 7, 4, 2, 6, 4,
  4, 2,
]

function medianOfNine(values: Uint8Array): number {
  for (let i = 0; i < exchanges.length; i += 2) {
    const [low, high] = [exchanges[i]!, exchanges[i + 1]!]
    const a = values[low]!
    const b = values[high]!
    if (a <= b) continue
    values[low] = b
    values[high] = a
  }
  return values[4]!
}

function mapSamples(frame: RgbaFrame, change: (value: number, i: number) => number): RgbaFrame {
  const { rgba, width, height } = frame
  const to = new Uint8ClampedArray(rgba.length)
  for (let i = 0; i < rgba.length; i++) to[i] = i % 4 === 3 ? rgba[i]! : change(rgba[i]!, i)
  return { width, height, rgba: to }
}

function samplesOf({ rgba }: RgbaFrame): Samples {
  return Float32Array.from(rgba)
}

function frameOf({ width, height }: RgbaFrame, samples: Samples): RgbaFrame {
  return { width, height, rgba: Uint8ClampedArray.from(samples) }
}

function gaussian(sigma: number): number[] {
  const reach = Math.ceil(3 * sigma)
  const taps = Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.exp(-((i - reach) ** 2) / (2 * sigma ** 2)),
  )
  const sum = taps.reduce((total, tap) => total + tap, 0)
  return taps.map((tap) => tap / sum)
}

/** Convolves `lines` lines with `length` pixels each. `step` is the distance between a line's samples, and `jump` the distance between lines. */
function convolve(
  from: Samples,
  length: number,
  lines: number,
  step: number,
  jump: number,
  taps: readonly number[],
): Samples {
  const reach = taps.length >> 1
  const to = new Float32Array(from.length)
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < length; i++) {
      let [red, green, blue, alpha] = [0, 0, 0, 0]
      for (let k = -reach; k <= reach; k++) {
        const at = line * jump + Math.max(0, Math.min(length - 1, i + k)) * step
        const tap = taps[k + reach]!
        red += tap * from[at]!
        green += tap * from[at + 1]!
        blue += tap * from[at + 2]!
        alpha += tap * from[at + 3]!
      }
      const o = line * jump + i * step
      to[o] = red
      to[o + 1] = green
      to[o + 2] = blue
      to[o + 3] = alpha
    }
  }
  return to
}

/** A table of normal deviates (Box and Muller), so that noise takes a single look-up per sample. */
const normals = normalTable(1 << 16)

function normalTable(size: number): Float32Array {
  const next = randomNumbers(7)
  return Float32Array.from(
    { length: size },
    () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  )
}
