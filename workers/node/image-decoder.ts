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

/** How long a picture may take to decode. */
const mostSeconds = 5

/**
 * A picture of more pixels is decoded at half its width and height. [Note: Large pictures are halved] The halves hold more than any detector looks
 * at, and 40 million pixels would take 213 MiB.
 */
const mostWholePixels = 16_000_000
const halved = 2

/** Scales at which a JPEG can be read without the pixels in between. */
const scales = [8, 4, 2] as const
/** Pixels that a copy keeps on its longer side: twice what the detectors look at. */
const leastSideOfCopy = 960

/** How a picture is decoded. */
export interface DecodeOptions {
  /** Set if a smaller copy of a large JPEG will do. */
  readonly asCopy?: boolean
}

/**
 * Bytes of a JPEG or PNG to upright pixels (EXIF orientation applied).
 *
 * [Note: A copy of a large picture] Most of a photograph from a phone is never looked at: detectors see 480 pixels of it, and the other networks
 * about 200 across a face. A JPEG is read at a half, a quarter or an eighth in less time than whole, and what follows has 4 to 64 times fewer
 * pixels. If a copy shows a face too small, the whole picture is decoded: see `copies.ts`.
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
    // Awaited here, where failures are reported.
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
      'The picture could not be read: it must be a whole JPEG or PNG; this one is truncated or damaged.',
    )
  }
}

/** By how much a picture is made smaller if no copy will do. */
function shrinkOfWhole(pixels: number): number {
  return pixels <= mostWholePixels ? 1 : halved
}

/** By how much a JPEG is made smaller if a copy will do; its decoder does not resample for that. */
function shrinkOfCopy(longerSide: number): number | undefined {
  return scales.find((scale) => longerSide / scale >= leastSideOfCopy)
}

/** [Note: Three bytes a pixel] A fourth one takes the decoder a quarter more time, and is put there where the pixels go anyway. */
async function small(image: Sharp): Promise<Frame> {
  const { data, info } = await opaque(image).raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}

/** The decoder makes a smaller picture only of one that it need not turn first: it is turned when it is small. */
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
 * [Note: Four inks] Without a colour profile browsers let each ink darken its colour, and black all of them. The decoder would assume the profile of a
 * printing press, in which faces are too dark to be found.
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

/** [Note: On black] What can be seen through shows black, as where the page draws a picture: nobody is found in what nobody sees. */
function opaque(image: Sharp): Sharp {
  return image.flatten({ background: '#000' }).toColourspace('srgb')
}

function frameOf({ data, info: { width, height } }: Pixels): Frame {
  return { width, height, rgba: data }
}

/** From 5 on, the orientations of EXIF lay a picture on its side. */
function uprightSize(width: number, height: number, orientation: number) {
  return orientation < 5 ? { width, height } : { width: height, height: width }
}

/** By the orientation of EXIF. */
function upright(image: Sharp, orientation: number): Sharp {
  const isMirrored = [2, 4, 5, 7].includes(orientation)
  const degrees = { 3: 180, 4: 180, 5: 270, 6: 90, 7: 90, 8: 270 }[orientation] ?? 0
  return (isMirrored ? image.flop() : image).rotate(degrees)
}
