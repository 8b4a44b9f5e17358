import sharp, { type Sharp } from 'sharp'
import type { Frame } from '#models/picture/frame.ts'
import { mostPixelsInKernel } from '#models/picture/picture-memory.ts'
import { walkPicture } from '#shared/picture/picture-header.ts'
import { readablePicture } from '#shared/picture/readable-picture.ts'
import { Problem } from '#shared/problem.ts'

sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })

/** The time limit for decoding a picture. */
const mostSeconds = 5

/**
 * A picture with more pixels is decoded at half its width and height. [Note: Large pictures are halved] The halves
 * contain more than any detector uses, while 40 million pixels would take 213 MiB.
 */
const mostWholePixels = 16_000_000
const halved = 2

/** The scales at which the decoder can read a JPEG directly. */
const scales = [8, 4, 2] as const
/** The minimum length of a copy's longer side in pixels: twice the detectors' input size. */
const leastSideOfCopy = 960

export interface DecodeOptions {
  /** True if a smaller copy of a large JPEG is enough. */
  readonly asCopy?: boolean
}

/**
 * Decodes a JPEG or PNG to upright pixels (EXIF orientation applied).
 *
 * [Note: A copy of a large picture] Most of a phone's photograph is never used: detectors use 480 pixels, and the other
 * networks about 200 across a face. Reading a JPEG at a half, a quarter or an eighth is faster, and later stages have 4
 * to 64 times fewer pixels. If a face in a copy is too small, the whole picture is decoded: see `copies.ts`.
 * @throws {Problem} unreadable_image
 */
export async function decodeImage(bytes: Uint8Array, { asCopy = false }: DecodeOptions = {}): Promise<Frame> {
  try {
    const { bytes: readable, failOn } = readablePicture(bytes)
    const image = sharp(readable, { limitInputPixels: 40_000_000, failOn }).timeout({ seconds: mostSeconds })
    const walked = walkPicture(bytes)
    const pixels = 'fault' in walked ? Number.POSITIVE_INFINITY : walked.width * walked.height
    const isOfInks = 'hasInks' in walked && !(await image.metadata()).hasProfile
    const pixelsOf = isOfInks ? pixelsOfInks : pixelsOfColours
    // Awaited here so that failures are caught by this try block.
    if (pixels <= mostPixelsInKernel && !isOfInks) return await small(image.autoOrient())
    const { width, height, format, orientation = 1 } = await image.metadata()
    const least = shrinkOfWhole(width * height)
    const shrunk = (asCopy && format === 'jpeg' && shrinkOfCopy(Math.max(width, height))) || least
    if (shrunk === 1) return frameOf(await pixelsOf(image.autoOrient()))
    const smaller = image.resize(Math.ceil(width / shrunk), Math.ceil(height / shrunk), { fit: 'fill' })
    return {
      ...(await uprightFrame(await pixelsOf(smaller), orientation)),
      shrunk,
      isCopy: shrunk > least,
      whole: uprightSize(width, height, orientation),
    }
  } catch {
    throw new Problem(
      'unreadable_image',
      'The picture could not be read: it must be a complete JPEG or PNG, but is truncated or damaged.',
    )
  }
}

/** How much to shrink a picture that is not decoded as a copy. */
function shrinkOfWhole(pixels: number): number {
  return pixels <= mostWholePixels ? 1 : halved
}

/** How much to shrink a JPEG copy. The decoder supports these factors without resampling. */
function shrinkOfCopy(longerSide: number): number | undefined {
  return scales.find((scale) => longerSide / scale >= leastSideOfCopy)
}

/** [Note: Three bytes a pixel] Decoding a fourth byte takes a quarter more time, so it is only added later, when the pixels are copied anyway. */
async function small(image: Sharp): Promise<Frame> {
  const { data, info } = await opaque(image).raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}

/** The decoder can only shrink pictures that it does not have to rotate first, so the rotation happens after shrinking. */
async function uprightFrame(pixels: Pixels, orientation: number): Promise<Frame> {
  if (orientation === 1) return frameOf(pixels)
  const raw = { width: pixels.info.width, height: pixels.info.height, channels: 4 } as const
  return small(upright(sharp(pixels.data, { raw }), orientation))
}

interface Pixels {
  readonly data: Uint8Array
  readonly info: { readonly width: number; readonly height: number }
}

function pixelsOfColours(image: Sharp): Promise<Pixels> {
  return opaque(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
}

/**
 * [Note: Four inks] Without a colour profile, browsers let each ink darken its colour, and black all of them. The decoder
 * would assume the profile of a printing press, which makes faces too dark to be found.
 */
async function pixelsOfInks(image: Sharp): Promise<Pixels> {
  const inked = image.pipelineColourspace('cmyk').toColourspace('cmyk').raw()
  const { data: inks, info } = await inked.toBuffer({ resolveWithObject: true })
  const data = new Uint8Array(inks.length)
  for (let at = 0; at < inks.length; at += 4) {
    const light = 255 - inks[at + 3]!
    for (let ink = 0; ink < 3; ink++) data[at + ink] = Math.round(((255 - inks[at + ink]!) * light) / 255)
    data[at + 3] = 255
  }
  return { data, info }
}

/** [Note: On black] Transparent parts become black, just as when the page draws the picture, so that no face is found in invisible pixels. */
function opaque(image: Sharp): Sharp {
  return image.flatten({ background: '#000' }).toColourspace('srgb')
}

function frameOf({ data, info: { width, height } }: Pixels): Frame {
  return { width, height, rgba: data }
}

/** EXIF orientations from 5 upwards are rotated by 90 degrees. */
function uprightSize(width: number, height: number, orientation: number) {
  return orientation < 5 ? { width, height } : { width: height, height: width }
}

/** Rotates a picture according to its EXIF orientation. */
function upright(image: Sharp, orientation: number): Sharp {
  const isMirrored = [2, 4, 5, 7].includes(orientation)
  const degrees = { 3: 180, 4: 180, 5: 270, 6: 90, 7: 90, 8: 270 }[orientation] ?? 0
  return (isMirrored ? image.flop() : image).rotate(degrees)
}
