import { readFile } from 'node:fs/promises'
import sharp from 'sharp'

/** How one visit's camera varies, because light and sensor noise are never the same. */
export interface Camera {
  readonly gain: number
  /** The standard deviation, in levels from 0 to 255. */
  readonly noise: number
  /** From 0 to 1: the phase of the pictures within a movement. */
  readonly offset: number
}

let cameras = Math.random()

/**
 * The next visit's light, from 0 to 1 within the range. [Note: No two alike] The same pixels in the same light count as resent. Random
 * lights often come that close within ten visits; steps of the golden ratio stay apart for thirty.
 */
export function nextLight(): number {
  cameras = (cameras + (Math.sqrt(5) - 1) / 2) % 1
  return cameras
}

/** `light` is a position from 0 to 1 within the range in which visits differ. */
export function newCamera(light: number = nextLight()): Camera {
  return { gain: 0.95 + light * 0.1, noise: 0.5 + Math.random() * 1.5, offset: Math.random() }
}

/** Simulates retaking the picture, with different light, different noise, and the capture page's encoding. */
export async function takePicture(source: string | Buffer, { gain, noise }: Camera): Promise<Buffer> {
  const picture = typeof source === 'string' ? await readFile(source) : source
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const grain = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length)
  const stride = 1 + 2 * Math.floor(Math.random() * 1000)
  for (let i = 0, at = Math.floor(Math.random() * deviates.length); i < grain.length; i++, at += stride) {
    grain[i] = grain[i]! * gain + noise * deviates[at % deviates.length]!
  }
  const { width, height, channels } = info
  return sharp(data, { raw: { width, height, channels } }).jpeg({ quality: 90 }).toBuffer()
}

/** Generated once and reordered for each picture, because generating a million values takes longer than encoding. */
const deviates = Float32Array.from({ length: 1 << 20 }, gaussian)

/** A normal deviate by Box and Muller. */
function gaussian(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
}
