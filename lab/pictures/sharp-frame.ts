import type { Sharp } from 'sharp'
import { type RgbaFrame, rgbaOf } from '../../models/picture/frame.ts'

/** Reads a sharp picture's pixels in sRGB. @throws {Error} if they do not have four channels */
export async function frameFrom(picture: Sharp): Promise<RgbaFrame> {
  const { data, info } = await picture
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.channels !== 4) throw new Error(`A picture of ${info.channels} channels instead of 4`)
  return rgbaOf({ width: info.width, height: info.height, rgba: new Uint8Array(data) })
}
