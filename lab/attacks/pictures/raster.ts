import sharp from 'sharp'

/** Pixels in memory: three bytes a pixel (red, green, blue), row by row. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
}

/** What a capture page encodes its pictures with. */
const jpegQuality = 90

/** A picture's pixels, upright; enlarged where its shorter side has fewer pixels than `leastSide`. */
export async function readRaster(picture: Buffer, leastSide?: number): Promise<Raster> {
  const image = sharp(picture).rotate().toColourspace('srgb').removeAlpha()
  const fitted =
    leastSide === undefined
      ? image
      : image.resize(leastSide, leastSide, { fit: 'outside', withoutReduction: true })
  const { data, info } = await fitted.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}

export function toJpeg({ width, height, rgb }: Raster, quality = jpegQuality): Promise<Buffer> {
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer()
}

/** The same picture in memory of its own. */
export function copyOf({ width, height, rgb }: Raster): Raster {
  return { width, height, rgb: Uint8Array.from(rgb) }
}

/** One picture over another of its size; `share` is the second one's. Of other sizes the second one alone. */
export function mixed(before: Raster, after: Raster, share: number): Raster {
  if (before.rgb.length !== after.rgb.length) return after
  const rgb = after.rgb.map((value, i) => before.rgb[i]! * (1 - share) + value * share)
  return { width: after.width, height: after.height, rgb }
}

/** The picture so many pixels wide. */
export async function scaled({ width, height, rgb }: Raster, toWidth: number): Promise<Raster> {
  const { data, info } = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(toWidth)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}
