import sharp from 'sharp'
import { trailAsked, trailLimits } from '../../shared/contract/sessions/trail.ts'
import type { Raster } from './raster.ts'

/** The page starts with `first` and lowers the quality by `less` on each further attempt. */
const quality = { first: 80, less: 10 } as const

/** Encodes a picture for the film as the page does: small, and at the highest quality that fits. */
export async function toSmallJpeg({ width, height, rgb }: Raster): Promise<Buffer> {
  const small = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(trailAsked.pixels, trailAsked.pixels, { fit: 'inside' })
    .png()
    .toBuffer()
  for (let tried: number = quality.first; ; tried -= quality.less) {
    const jpeg = await sharp(small)
      .jpeg({ quality: Math.max(1, tried) })
      .toBuffer()
    if (jpeg.length <= trailLimits.bytes || tried <= 1) return jpeg
  }
}
