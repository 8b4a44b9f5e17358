import { parentPort, workerData } from 'node:worker_threads'
import * as Comlink from 'comlink'
import { createPipeline } from '#models/pipeline.ts'
import { type PackName, packs } from '#models/rules/packs.ts'
import { carryProblems } from '../wire.ts'
import { decodeImage } from './image-decoder.ts'
import { nodeEndpoint } from './node-endpoint.ts'
import { openRuntime } from './runtime.ts'
import { createThreadAnalysis } from './thread-analysis.ts'

if (parentPort === null) throw new Error('this file runs as a worker')

carryProblems()
const { pack = 'standard', packsFolder } = (workerData ?? {}) as { pack?: PackName; packsFolder?: string }
const { open } = await openRuntime(undefined, packsFolder)
Comlink.expose(
  createThreadAnalysis(
    createPipeline(open, () => performance.now(), packs[pack]),
    decodeImage,
    () => process.exit(),
  ),
  nodeEndpoint(parentPort),
)
