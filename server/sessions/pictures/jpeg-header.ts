import { jpegSize } from '#server/analysis/jpeg-header.ts'
import { limits } from '#shared/contract/sessions/session.ts'

/** Why a captured frame is refused before anything is decoded, or undefined where it may be decoded. */
export function jpegFault(bytes: Uint8Array): string | undefined {
  if (bytes.length > limits.frameBytes) return 'Must be at most 1 MiB.'
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 'Must be a JPEG.'
  const size = jpegSize(bytes)
  if ('fault' in size) return size.fault
  if (size.width === 0 || size.height === 0) return 'Must not be empty.'
  return size.width * size.height > limits.framePixels ? 'Must have at most 2 megapixels.' : undefined
}
