import { setImmediate as nextTurn } from 'node:timers/promises'
import { evidenceLimits } from '#server/features/sessions/records/evidence-limits.ts'
import { guardedSharp } from '#server/platform/running/guarded-sharp.ts'
import { readablePicture } from '#shared/picture/readable-picture.ts'

const mostSeconds = 5
const qualities = [80, 65, 50, 35, 20] as const

interface Size {
  readonly longestSide: number
  readonly mostBytes: number
}

const picture: Size = {
  longestSide: evidenceLimits.longestSidePixels,
  mostBytes: evidenceLimits.pictureBytes,
}
const filmPicture: Size = {
  longestSide: evidenceLimits.filmLongestSidePixels,
  mostBytes: evidenceLimits.filmPictureBytes,
}

/** Re-encodes a picture for storage, so that only its pixels are kept. @throws if it cannot be read */
export const encodePicture = (bytes: Uint8Array): Promise<Uint8Array> => encode(bytes, picture)

/** Does the same for a film picture. */
export const encodeFilmPicture = (bytes: Uint8Array): Promise<Uint8Array> => encode(bytes, filmPicture)

/** Runs off the event loop, one picture at a time, so that a whole film does not delay other requests. */
async function encode(bytes: Uint8Array, { longestSide, mostBytes }: Size): Promise<Uint8Array> {
  const sharp = await guardedSharp()
  const { bytes: readable, failOn } = readablePicture(bytes)
  const { data, info } = await sharp(readable, { failOn })
    .timeout({ seconds: mostSeconds })
    .autoOrient()
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#000' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  for (const quality of qualities) {
    const encoded = await sharp(data, { raw }).jpeg({ quality }).toBuffer()
    await nextTurn()
    if (encoded.length <= mostBytes) return encoded
  }
  throw new Error('A picture of the evidence cannot be reduced enough.')
}
