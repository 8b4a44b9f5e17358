import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { walkPicture } from '#shared/picture/picture-header.ts'
import type { decodeImage } from './image-decoder.ts'

/** How many pixels may be left uncollected: 64 MB, plus a third for their smaller copies. */
const mostPixelsLeft = 16_000_000
const bytesOfPixel = 4

/**
 * Decodes like `decode`, but runs the garbage collector first if earlier pictures and this one together would need too much memory.
 * [Note: Pixels are collected in time] The engine hardly sees the memory that pictures use, and would otherwise leave three or four large ones
 * uncollected.
 */
export function createSparingDecoder(decode: typeof decodeImage, collect: () => void): typeof decode {
  let left = 0
  return async (bytes, options) => {
    if (left > 0 && left + pixelsHeld(bytes) >= mostPixelsLeft) {
      collect()
      left = 0
    }
    const frame = await decode(bytes, options)
    left += frame.width * frame.height
    return frame
  }
}

/** The extra memory that the decoder needs for a picture, expressed in pixels. */
function pixelsHeld(bytes: Uint8Array): number {
  const walked = walkPicture(bytes)
  return 'fault' in walked ? 0 : walked.heldBytes / bytesOfPixel
}

/** The engine's garbage collector, which is usually only available with a command-line option. */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
