import type { InferenceSession, Tensor } from 'onnxruntime-node'
import type { ModelName, OpenSession } from '../../../models/networks/session.ts'
import { createPipeline } from '../../../models/pipeline/pipeline.ts'
import { decodeImage } from '../../../workers/node/image-decoder.ts'
import { loadNativeLibrary } from '../../../workers/node/native-library.ts'
import { nativeGraph } from '../../../workers/node/onnx/native-graph.ts'
import { openRuntime } from '../../../workers/node/runtime.ts'
import { readWeights } from '../../../workers/node/weights.ts'
import { packOfSide, serveRounds, type Task, tasks } from './tasks.ts'

const ort = await loadNativeLibrary()
const { pack, packsFolder } = packOfSide()

interface Run {
  readonly session: InferenceSession
  readonly input: Tensor
}

/**
 * Runs only the networks, exactly as each task needs them, directly on the runtime with tensors prepared in advance. No analysis of these pictures
 * with these networks can be faster.
 */
serveRounds(async (pictures) => {
  let recorded: Run[] = []
  const { open } = await openRuntime('native', packsFolder)
  const pipeline = createPipeline(recording(open), () => performance.now(), pack)
  const runs = new Map<Task, Run[]>()
  for (const task of Object.keys(tasks) as Task[]) {
    recorded = []
    for (const bytes of pictures) await pipeline.analyse(await decodeImage(bytes), tasks[task])
    runs.set(task, recorded)
  }
  return async (task) => {
    for (const { session, input } of runs.get(task)!) await session.run({ [session.inputNames[0]!]: input })
    return { decoding: 0, faces: 0 }
  }

  function recording(open: OpenSession): OpenSession {
    return async (name) => {
      const [port, session] = [await open(name), await bare(name)]
      return {
        run: (input) => {
          recorded.push({ session, input: new ort.Tensor('float32', input.data.slice(), input.dims) })
          return port.run(input)
        },
      }
    }
  }
})

async function bare(name: ModelName): Promise<InferenceSession> {
  const threads = { intraOpNumThreads: 1, interOpNumThreads: 1 }
  return ort.InferenceSession.create(nativeGraph(await readWeights(name, packsFolder)), threads)
}
