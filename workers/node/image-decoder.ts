import sharp from 'sharp'
import type { Frame } from '#models/picture/frame.ts'
import { Problem } from '#shared/problem.ts'

sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })

/** How long a picture may take to decode. */
const mostSeconds = 5

/**
 * Bytes of a JPEG or PNG to upright pixels (EXIF orientation applied).
 * @throws {Problem} unreadable_image
 */
export async function decodeImage(bytes: Uint8Array): Promise<Frame> {
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: 40_000_000, failOn: 'error' })
      .timeout({ seconds: mostSeconds })
      .autoOrient()
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { width: info.width, height: info.height, rgba: data }
  } catch {
    throw new Problem('unreadable_image', 'The picture could not be read: it must be a whole JPEG or PNG.')
  }
}
