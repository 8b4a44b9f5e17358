import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { walkPicture } from '#shared/picture/picture-header.ts'
import type { decodeImage } from './image-decoder.ts'

/** So much of what was decoded may lie there uncollected: 64 MB of pixels, and a third more for their smaller copies. */
const mostPixelsLeft = 16_000_000
const bytesOfPixel = 4

/**
 * Decodes as before, and collects what was left of earlier pictures first where that is much, together with what the decoder
 * will hold besides. [Note: Pixels are collected in time] Left to
 * itself the engine lets three or four large pictures lie there, since it sees little of what they take.
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

/** What the decoder holds of a picture beyond its pixels, as so many of these. */
function pixelsHeld(bytes: Uint8Array): number {
  const walked = walkPicture(bytes)
  return 'fault' in walked ? 0 : walked.heldBytes / bytesOfPixel
}

/** The engine's own collector, which a program otherwise has by an option of its command line alone. */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
