import type { Pipeline } from '#models/pipeline/pipeline.ts'
import { createAnalysis } from '../analysis.ts'
import type { ThreadApi } from '../api.ts'
import { analyseBytes } from './analyse-bytes.ts'
import type { decodeImage } from './image-decoder.ts'
import { createPieces } from './pieces.ts'

/**
 * The analysis of a thread that terminates itself on request. `exit` ends the thread.
 *
 * [Note: A thread ends between native calls] The runtime and the decoder call back into the thread that called them. If this thread was terminated
 * from outside in the meantime, the callback crashes the whole process. The runtime computes on the thread itself, so no call of this kind is in
 * flight while the thread runs its own code. The decoder computes in parallel, and is awaited.
 */
export function createThreadAnalysis(
  pipeline: Pipeline,
  decode: typeof decodeImage,
  exit: () => void,
  now: () => number = () => performance.now(),
): ThreadApi {
  let decoding: Promise<unknown> = Promise.resolve()
  const decodeKnown: typeof decodeImage = (bytes, options) => {
    const frame = decode(bytes, options)
    decoding = frame.catch(() => undefined)
    return frame
  }
  return {
    ...createAnalysis(pipeline, (picture: Uint8Array) => decodeKnown(picture)),
    ...createPieces(
      (picture, wanted, pause) => analyseBytes(pipeline, decodeKnown, picture, wanted, pause),
      now,
    ),
    async end() {
      await decoding
      exit()
    },
  }
}
