import { wrap } from 'comlink'
import { type Pack, packs } from '#models/rules/packs.ts'
import { openWorker } from '#server/platform/running/open-worker.ts'
import type { ThreadApi } from '#workers/api.ts'
import { refuseTelemetry } from '#workers/node/native-library.ts'
import { nodeEndpoint } from '#workers/node/node-endpoint.ts'
import { carryProblems } from '#workers/wire.ts'
import type { RunningWorker } from './pool.ts'

/** Starts a file's analysis worker as a thread, with a pack's networks. Installed packs are in `packsDir`. */
export function startWorkerThread(
  file: string,
  pack: Pack = packs.standard,
  packsFolder?: string,
): RunningWorker {
  carryProblems()
  refuseTelemetry()
  const { worker, failed } = openWorker(file, 'analysis', { pack, packsFolder })
  const api = wrap<ThreadApi>(nodeEndpoint(worker))
  return {
    api,
    failed,
    async stop() {
      worker.ref()
      void api.end()
      await failed
    },
  }
}
