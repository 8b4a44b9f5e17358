import { Buffer } from 'node:buffer'
import sharp from 'sharp'
import type { Scene } from './fake-picture.ts'

let shots = 0

/** A JPEG that can be decoded, with a scene in its comment for the fake analysis. */
export async function trueJpeg(scene: Scene, width = 640, height = 480): Promise<Buffer> {
  const shot = ++shots
  const noise = Buffer.from(Array.from({ length: 48 * 36 * 3 }, (_, i) => (i * 7919 * shot) % 251))
  const whole = await sharp(noise, { raw: { width: 48, height: 36, channels: 3 } })
    .resize(width, height)
    .jpeg({ quality: 80 })
    .toBuffer()
  const comment = Buffer.from(JSON.stringify({ shot, ...scene }))
  const head = Buffer.from([0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 255])
  return Buffer.concat([whole.subarray(0, 2), head, comment, whole.subarray(2)])
}
