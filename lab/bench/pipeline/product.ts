import { createPipeline } from '../../../models/pipeline/pipeline.ts'
import { decodeImage } from '../../../workers/node/image-decoder.ts'
import { openRuntime } from '../../../workers/node/runtime.ts'
import { busyMilliseconds, packOfSide, serveRounds, tasks } from './tasks.ts'

/** The product's decoder and pipeline, run in a separate process just as its worker does. */
serveRounds(async (pictures) => {
  const { pack, packsFolder } = packOfSide()
  const { open } = await openRuntime('native', packsFolder)
  const pipeline = createPipeline(open, () => performance.now(), pack)
  return async (task) => {
    let decoding = 0
    let faces = 0
    for (const bytes of pictures) {
      const start = busyMilliseconds()
      const frame = await decodeImage(bytes)
      decoding += busyMilliseconds() - start
      const { face } = await pipeline.analyse(frame, tasks[task])
      if (face !== undefined) faces++
    }
    return { decoding, faces }
  }
})
