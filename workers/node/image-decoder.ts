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
 * A picture of more pixels is decoded at half its width and height. [Note: Large pictures are halved] Detectors see the picture in tiles
 * of 192 pixels, sixteen at most: beyond 16 million pixels the halves hold all that they see. And 40 million would take 213 MiB.
 */
const mostWholePixels = 16_000_000
const halved = 2

/**
 * Bytes of a JPEG or PNG to upright pixels (EXIF orientation applied).
 * @throws {Problem} unreadable_image
 */
export async function decodeImage(bytes: Uint8Array): Promise<Frame> {
  try {
    const { bytes: readable, failOn } = readablePicture(bytes)
    const image = sharp(readable, { limitInputPixels: 40_000_000, failOn }).timeout({ seconds: mostSeconds })
    const walked = walkPicture(bytes)
    const pixels = 'fault' in walked ? Number.POSITIVE_INFINITY : walked.width * walked.height
    const isOfInks = 'hasInks' in walked && !(await image.metadata()).hasProfile
    const pixelsOf = isOfInks ? pixelsOfInks : pixelsOfColours
    // Awaited here, where failures are reported.
    if (pixels <= mostPixelsInKernel && !isOfInks) return await small(image.autoOrient())
    const { width, height, orientation = 1 } = await image.metadata()
    if (width * height <= mostWholePixels) return frameOf(await pixelsOf(image.autoOrient()))
    const smaller = await pixelsOf(image.resize(half(width), half(height), { fit: 'fill' }))
    if (orientation === 1) return { ...frameOf(smaller), shrunk: halved }
    const raw = { width: smaller.info.width, height: smaller.info.height, channels: 4 } as const
    const turned = await pixelsOfColours(upright(sharp(smaller.data, { raw }), orientation))
    return { ...frameOf(turned), shrunk: halved }
  } catch {
    throw new Problem(
      'unreadable_image',
      'The picture could not be read: it must be a whole JPEG or PNG; this one is truncated or damaged.',
    )
  }
}

/** [Note: Three bytes a pixel] A fourth one takes the decoder a quarter more time, and is put there where the pixels go anyway. */
async function small(image: Sharp): Promise<Frame> {
  const { data, info } = await opaque(image).raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}

/** As the decoder of JPEG makes it: nothing is resampled then. */
function half(pixels: number): number {
  return Math.ceil(pixels / halved)
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

/** By the orientation of EXIF. The decoder itself makes a smaller picture only of one that it need not turn first. */
function upright(image: Sharp, orientation: number): Sharp {
  const isMirrored = [2, 4, 5, 7].includes(orientation)
  const degrees = { 3: 180, 4: 180, 5: 270, 6: 90, 7: 90, 8: 270 }[orientation] ?? 0
  return (isMirrored ? image.flop() : image).rotate(degrees)
}
