import { imageLimits } from '#shared/contract/analysis/image.ts'
import { jpegSize } from './jpeg-header.ts'
import { kindFault } from './picture-kind.ts'
import type { WalkOutcome } from './picture-size.ts'
import { pngSize } from './png-header.ts'

/** [Note: Held at once] The size of all coefficients in a 24-megapixel progressive JPEG without chroma subsampling. */
const mostHeldBytes = 144_000_000

/**
 * Checks a JPEG's or PNG's headers before it is decoded. [Note: Walk first] A decoder only receives pictures of a known kind that are complete
 * and small enough to fit in memory.
 */
export function walkPicture(bytes: Uint8Array): WalkOutcome {
  if (bytes.length === 0) return { fault: 'Must not be empty.' }
  if (bytes.length > imageLimits.bytes) return { fault: 'Must be at most 10 MiB.' }
  const walked = walkKind(bytes)
  if ('fault' in walked) return walked
  if (walked.width === 0 || walked.height === 0) return { fault: 'Must have a width and a height.' }
  if (walked.width * walked.height > imageLimits.pixels) return { fault: 'Must have at most 40 megapixels.' }
  if (walked.heldBytes > mostHeldBytes) return { fault: heldTooMuch }
  return walked
}

const heldTooMuch =
  'Must be smaller, or saved as a baseline JPEG or a PNG without interlacing: this one takes more than 144 MB to decode.'

function walkKind(bytes: Uint8Array): WalkOutcome {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpegSize(bytes)
  if (isPng(bytes)) return pngSize(bytes)
  return kindFault('a JPEG or PNG picture', bytes)
}

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

function isPng(bytes: Uint8Array): boolean {
  return pngSignature.every((value, i) => bytes[i] === value)
}
