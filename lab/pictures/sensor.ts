import { randomNumbers } from '../../shared/random-numbers.ts'
import type { Raster } from './raster.ts'

/** Normal deviates that are only drawn once. Each picture reads them from a different offset, which takes a tenth of the time. */
const deviates = drawDeviates(1 << 20)

function drawDeviates(count: number): Float32Array {
  const random = randomNumbers(count)
  const drawn = new Float32Array(count)
  for (let i = 0; i < count; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    const angle = 2 * Math.PI * random()
    drawn[i] = radius * Math.cos(angle)
    drawn[i + 1] = radius * Math.sin(angle)
  }
  return drawn
}

/** How a camera exposes a picture. */
export interface Exposure {
  /** The brightness factor. */
  readonly gain: number
  /** The noise's standard deviation, in levels of 0...255. The noise is redrawn for each picture. */
  readonly noise: number
}

/** Changes a picture's brightness and adds fresh noise. */
export function expose(picture: Raster, { gain, noise }: Exposure, random: () => number): Raster {
  const { width, height, rgb } = picture
  const taken = new Uint8Array(rgb.length)
  const mask = deviates.length - 1
  // An odd stride visits every deviate before one repeats, and the order differs between pictures.
  const stride = 2 * Math.floor(random() * 1000) + 1
  let at = Math.floor(random() * deviates.length)
  for (let i = 0; i < rgb.length; i++) {
    at = (at + stride) & mask
    const value = rgb[i]! * gain + noise * deviates[at]! + 0.5
    taken[i] = value < 0 ? 0 : value > 255 ? 255 : value
  }
  return { width, height, rgb: taken }
}

export function between(low: number, high: number, random: () => number): number {
  return low + (high - low) * random()
}

/** A normal deviate, clipped at three standard deviations so that no picture is an outlier. */
export function deviate(random: () => number): number {
  const drawn = deviates[Math.floor(random() * deviates.length)]!
  return Math.max(-3, Math.min(3, drawn))
}
