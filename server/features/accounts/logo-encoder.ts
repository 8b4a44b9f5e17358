import { decodeBase64 } from '#server/platform/http/requests/base64/base64.ts'
import { guardedSharp } from '#server/platform/running/guarded-sharp.ts'
import { type Logo, logoLimits } from '#shared/contract/sessions/logo.ts'
import { walkPicture } from '#shared/picture/picture-header.ts'
import { readablePicture } from '#shared/picture/readable-picture.ts'
import { Problem } from '#shared/problem.ts'
import { groundOf, type Pixels } from './logo-ground.ts'

const mostSeconds = 5

/** Three times as large as the pages display it. */
const most = { width: 480, height: 144 } as const

export interface EncodedLogo extends Pick<Logo, 'width' | 'height' | 'ground'> {
  /** WebP */
  readonly bytes: Buffer
}

/**
 * [Note: A logo is drawn anew] Visitors get pixels that this server encoded, never the uploaded file: it is validated,
 * decoded and encoded again, and only its pixels are kept. Drawings that can contain code (SVG) are refused.
 * @param text a PNG or JPEG as Base64
 * @throws {Problem} invalid_request (400) with a pointer and the reason
 */
export async function encodeLogo(text: string): Promise<EncodedLogo> {
  const upright = await decode(checked(text))
  const { rgba, width, height } = upright
  const sharp = await guardedSharp()
  const { data, info } = await sharp(rgba, { raw: { width, height, channels: 4 } })
    .resize({ ...most, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 90, alphaQuality: 100 })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height, ground: groundOf(upright) }
}

async function decode(bytes: Uint8Array): Promise<Pixels> {
  const sharp = await guardedSharp()
  const { bytes: readable, failOn } = readablePicture(bytes)
  const reading = sharp(readable, { limitInputPixels: logoLimits.side ** 2, failOn })
  try {
    const { data, info } = await reading
      .timeout({ seconds: mostSeconds })
      .autoOrient()
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { width: info.width, height: info.height, rgba: data }
  } catch {
    throw refusal('Must be a complete PNG or JPEG picture.')
  }
}

function checked(text: string): Uint8Array {
  const bytes = decodeBase64(text, logoLimits.bytes)
  if ('fault' in bytes) throw refusal(bytes.fault)
  const walked = walkPicture(bytes)
  if ('fault' in walked) throw refusal(walked.fault)
  if (Math.max(walked.width, walked.height) > logoLimits.side)
    throw refusal(`Must be at most ${logoLimits.side} pixels wide and tall.`)
  return bytes
}

function refusal(message: string): Problem {
  return new Problem('invalid_request', 'The logo is invalid; see errors.', {
    errors: [{ pointer: '#/logo', message }],
  })
}
