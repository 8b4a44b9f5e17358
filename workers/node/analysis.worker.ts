import { parentPort, workerData } from 'node:worker_threads'
import * as Comlink from 'comlink'
import { createPipeline } from '#models/pipeline/pipeline.ts'
import { type Pack, packs } from '#models/rules/packs.ts'
import { carryProblems } from '../wire.ts'
import { decodeImage } from './image-decoder.ts'
import { nodeEndpoint } from './node-endpoint.ts'
import { openRuntime } from './runtime.ts'
import { createSparingDecoder, garbageCollector } from './sparing-decoder.ts'
import { createThreadAnalysis } from './thread-analysis.ts'

if (parentPort === null) throw new Error('this file runs as a worker')

carryProblems()
const { pack = packs.standard, packsFolder } = (workerData ?? {}) as { pack?: Pack; packsFolder?: string }
const { open } = await openRuntime(undefined, packsFolder)
Comlink.expose(
  createThreadAnalysis(
    createPipeline(open, () => performance.now(), pack),
    createSparingDecoder(decodeImage, garbageCollector()),
    () => process.exit(),
  ),
  nodeEndpoint(parentPort),
)
