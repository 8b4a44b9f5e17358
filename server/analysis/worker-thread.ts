import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { wrap } from 'comlink'
import type { PackName } from '#models/packs.ts'
import type { AnalysisApi } from '#workers/api.ts'
import { nodeEndpoint } from '#workers/node/node-endpoint.ts'
import { carryProblems } from '#workers/wire.ts'
import type { RunningWorker } from './pool.ts'

/** Starts the analysis worker of a file in a thread of its own, with the networks of a pack. */
export function startWorkerThread(file: string, pack: PackName = 'standard'): RunningWorker {
  carryProblems()
  const worker = file.endsWith('.ts')
    ? sourceWorker(file, { pack })
    : new Worker(file, { workerData: { pack } })
  const failed = new Promise<Error>((settle) => {
    worker.once('error', settle)
    worker.once('exit', (code) => settle(new Error(`The analysis worker ended with ${code}`)))
  })
  worker.unref()
  return {
    api: wrap<AnalysisApi<Uint8Array>>(nodeEndpoint(worker)),
    failed,
    stop: async () => void (await worker.terminate()),
  }
}

/** [Note: tsx in threads] Threads of Node 20 do not inherit tsx, nor take it by --import: it is registered inside. */
function sourceWorker(file: string, workerData: unknown): Worker {
  const source = pathToFileURL(file).href
  const program = `import('tsx/esm/api').then(({ register }) => { register(); return import('${source}') })`
  return new Worker(program, { eval: true, workerData })
}
