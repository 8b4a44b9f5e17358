import type { Pipeline } from '#models/pipeline.ts'
import { createAnalysis } from '../analysis.ts'
import type { ThreadApi } from '../api.ts'
import { analyseBytes } from './analyse-bytes.ts'
import type { decodeImage } from './image-decoder.ts'
import { createPieces } from './pieces.ts'

/**
 * The analysis of a thread that ends itself when it is told to; `exit` ends the thread.
 *
 * [Note: A thread ends between native calls] The runtime and the decoder answer into the thread that called them. One
 * that was ended from outside meanwhile cannot be answered, and that ends the process with all its threads. The runtime
 * computes on the thread itself: where the thread has its own say, no such call is under way. The decoder computes
 * beside it, and is waited for.
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
