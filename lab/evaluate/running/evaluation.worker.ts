import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import * as Comlink from 'comlink'
import { type Frame, type RgbaFrame, rgbaOf } from '../../../models/picture/frame.ts'
import { createPipeline } from '../../../models/pipeline/pipeline.ts'
import type { Analysis, AnalysisStages } from '../../../models/rules/analysis.ts'
import { type PackName, packs } from '../../../models/rules/packs.ts'
import { analyseBytes } from '../../../workers/node/analyse-bytes.ts'
import { decodeImage } from '../../../workers/node/image-decoder.ts'
import { nodeEndpoint } from '../../../workers/node/node-endpoint.ts'
import { openRuntime } from '../../../workers/node/runtime.ts'
import { carryProblems } from '../../../workers/wire.ts'

/** The interface of a bench thread, which runs the product's decoder and pipeline on the server's runtime. */
export interface EvaluationApi {
  /** The runtime's name. */
  runtime(): Promise<string>
  decode(path: string): Promise<RgbaFrame>
  analyse(picture: string | Frame, wanted: AnalysisStages): Promise<Analysis>
}

if (parentPort === null) throw new Error('this file runs as a worker')

carryProblems()
const { pack, packsFolder } = workerData as { readonly pack: PackName; readonly packsFolder: string }
const { kind, open } = await openRuntime(undefined, packsFolder)
const pipeline = createPipeline(open, () => performance.now(), packs[pack])
const decode = async (path: string) => decodeImage(await readFile(path))

const api: EvaluationApi = {
  runtime: async () => kind,
  decode: async (path) => rgbaOf(await decode(path)),
  analyse: async (picture, wanted) =>
    typeof picture === 'string'
      ? analyseBytes(pipeline, decodeImage, await readFile(picture), wanted)
      : pipeline.analyse(picture, wanted),
}
Comlink.expose(api, nodeEndpoint(parentPort))
