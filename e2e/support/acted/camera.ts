import { readFile } from 'node:fs/promises'
import sharp from 'sharp'

/** What one visit's camera does to every picture: nobody sits in the same light twice, and no sensor is silent. */
export interface Camera {
  readonly gain: number
  /** Standard deviation, in levels of 0...255. */
  readonly noise: number
  /** 0...1: at which moment of a movement the pictures fall. */
  readonly offset: number
}

let cameras = Math.random()

/**
 * The light of the next visit, 0...1 of the span that visits differ by. [Note: No two alike] The same pixels in the same light count as sent again. Random lights
 * often come that close within ten visits; steps of the golden ratio do not within thirty.
 */
export function nextLight(): number {
  cameras = (cameras + (Math.sqrt(5) - 1) / 2) % 1
  return cameras
}

/** `light` is 0...1 of the span of light that visits differ by. */
export function newCamera(light: number = nextLight()): Camera {
  return { gain: 0.95 + light * 0.1, noise: 0.5 + Math.random() * 1.5, offset: Math.random() }
}

/** Takes a picture anew: other light, other noise, and the encoding of the capture page. */
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

/** Drawn once, and gone through in another order for each picture: to draw a million takes longer than to encode them. */
const deviates = Float32Array.from({ length: 1 << 20 }, gaussian)

/** Box and Muller's normal deviate. */
function gaussian(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
}
