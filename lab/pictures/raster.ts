import sharp from 'sharp'

/** Pixels in memory, three bytes each (red, green, blue), row by row. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
}

/** The JPEG quality that the capture page uses. */
const jpegQuality = 90

/** Cameras rarely deliver more, and the product accepts at most two megapixels. */
const longestSide = 1280

/** Reads a picture's pixels, upright and no larger than a camera's. Enlarges it if its shorter side has fewer than `leastSide` pixels. */
export async function readRaster(picture: Buffer, leastSide = 0): Promise<Raster> {
  const { width = 1, height = 1 } = await sharp(picture).metadata()
  const [short, long] = [Math.min(width, height), Math.max(width, height)]
  const scale = Math.min(longestSide / long, Math.max(1, leastSide / short))
  const image = sharp(picture).rotate().toColourspace('srgb').removeAlpha()
  const side = Math.round(long * scale)
  const { data, info } = await image
    .resize(side, side, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}

export function toJpeg({ width, height, rgb }: Raster, quality = jpegQuality): Promise<Buffer> {
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer()
}

export function copyOf({ width, height, rgb }: Raster): Raster {
  return { width, height, rgb: Uint8Array.from(rgb) }
}

/** Blends two pictures of the same size. `share` is the weight of the second one. If the sizes differ, returns the second one. */
export function mixed(before: Raster, after: Raster, share: number): Raster {
  if (before.rgb.length !== after.rgb.length) return after
  const rgb = after.rgb.map((value, i) => before.rgb[i]! * (1 - share) + value * share)
  return { width: after.width, height: after.height, rgb }
}

/** Scales the picture to a width in pixels. */
export async function scaled({ width, height, rgb }: Raster, toWidth: number): Promise<Raster> {
  const { data, info } = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(toWidth)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}
