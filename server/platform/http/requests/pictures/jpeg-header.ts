import { limits } from '#shared/contract/sessions/session.ts'
import { jpegSize } from '#shared/picture/jpeg-header.ts'
import { kindFault } from '#shared/picture/picture-kind.ts'

/** The reason that a captured frame is refused before decoding, or undefined if it can be decoded. */
export function jpegFault(bytes: Uint8Array): string | undefined {
  if (bytes.length > limits.frameBytes) return 'Must be at most 1 MiB.'
  const size = sizeOfJpeg(bytes)
  if ('fault' in size) return size.fault
  return size.width * size.height > limits.framePixels ? 'Must have at most 2 megapixels.' : undefined
}

/** A JPEG's size according to its header, or the reason that it is not valid. */
export function sizeOfJpeg(bytes: Uint8Array): ReturnType<typeof jpegSize> {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return kindFault('a JPEG', bytes)
  const size = jpegSize(bytes)
  if ('fault' in size) return size
  return size.width === 0 || size.height === 0 ? { fault: 'Must not be empty.' } : size
}
