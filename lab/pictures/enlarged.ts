import sharp from 'sharp'
import type { Box } from '../../models/rules/analysis.ts'
import type { Raster } from './raster.ts'

/** Enlarges the picture around a face within the same frame, as if a photograph were held closer or a camera zoomed in. */
export async function enlarged(
  { width, height, rgb }: Raster,
  { x, y, width: faceWidth, height: faceHeight }: Box,
  by: number,
): Promise<Raster> {
  const own = { width: Math.round(width / by), height: Math.round(height / by) }
  const within = (centre: number, length: number, whole: number) =>
    Math.max(0, Math.min(whole - length, Math.round(centre - length / 2)))
  const { data, info } = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .extract({
      left: within(x + faceWidth / 2, own.width, width),
      top: within(y + faceHeight / 2, own.height, height),
      ...own,
    })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}
