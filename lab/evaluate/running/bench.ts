import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { type Remote, wrap } from 'comlink'
import { WEIGHTS } from '#lab/networks/manifest.ts'
import { showProgress } from '#lab/progress.ts'
import type { RgbaFrame } from '../../../models/picture/frame.ts'
import type { Analysis, AnalysisStages } from '../../../models/rules/analysis.ts'
import { type Pack, type PackName, packs } from '../../../models/rules/packs.ts'
import { readSettings } from '../../../server/app/settings.ts'
import { requireInstalled } from '../../../server/features/packs/installed-pack.ts'
import { mapConcurrent } from '../../../shared/concurrency/map-concurrent.ts'
import { Problem } from '../../../shared/problem.ts'
import { refuseTelemetry } from '../../../workers/node/native-library.ts'
import { nodeEndpoint } from '../../../workers/node/node-endpoint.ts'
import { carryProblems } from '../../../workers/wire.ts'
import type { EvaluationApi } from './evaluation.worker.ts'

/** The product's own pipeline on the server's runtime, with one thread per core. */
export interface Bench {
  readonly runtime: string
  /** The networks in use. */
  readonly pack: Pack
  readonly threads: number
  /** Decodes a JPEG or PNG to upright pixels. Null if it cannot be read. */
  decode(path: string): Promise<RgbaFrame | null>
  /** Analyses a picture like the server does, given its path or its pixels. Null if it cannot be read. */
  analyse(picture: string | RgbaFrame, wanted: AnalysisStages): Promise<Analysis | null>
  /** Computes the results on all threads in parallel, showing the progress. They are returned in the order of the cases. */
  map<T, R>(cases: readonly T[], label: string, work: (one: T) => Promise<R>): Promise<R[]>
  close(): Promise<void>
}

interface Thread {
  readonly api: Remote<EvaluationApi>
  stop(): Promise<void>
}

/**
 * Looks for packs in the folder named in the server's settings.
 * @throws if the pack is not installed or a thread dies, since nothing can be measured in these cases
 */
export async function openBench(pack: PackName, threads = availableParallelism()): Promise<Bench> {
  carryProblems()
  refuseTelemetry()
  const { packsDir } = readSettings()
  await requireInstalled(pack, packsDir, WEIGHTS)
  const all = Array.from({ length: threads }, () => startThread(pack, packsDir))
  const free = [...all]
  const waiting: ((thread: Thread) => void)[] = []

  async function onThread<R>(work: (api: Remote<EvaluationApi>) => Promise<R>): Promise<R | null> {
    const thread = free.pop() ?? (await new Promise<Thread>((go) => waiting.push(go)))
    try {
      return await work(thread.api)
    } catch (error) {
      if (error instanceof Problem && error.code === 'unreadable_image') return null
      throw error
    } finally {
      const next = waiting.shift()
      if (next === undefined) free.push(thread)
      else next(thread)
    }
  }

  return {
    runtime: await all[0]!.api.runtime(),
    pack: packs[pack],
    threads,
    decode: (path) => onThread((api) => api.decode(path)),
    analyse: (picture, wanted) => onThread((api) => api.analyse(picture, wanted)),
    async map(cases, label, work) {
      const progress = showProgress(label, cases.length)
      const results = await mapConcurrent(cases, threads * 2, async (one) => {
        const result = await work(one)
        progress.step()
        return result
      })
      progress.end()
      return results
    },
    close: async () => void (await Promise.all(all.map((thread) => thread.stop()))),
  }
}

/** [Note: tsx in threads] */
function startThread(pack: PackName, packsFolder: string): Thread {
  const source = new URL('./evaluation.worker.ts', import.meta.url).href
  const program = `import('tsx/esm/api').then(({ register }) => { register(); return import('${source}') })`
  const worker = new Worker(program, { eval: true, workerData: { pack, packsFolder } })
  worker.once('error', (error) => {
    console.error('A thread of the evaluation died.', error)
    process.exit(1)
  })
  return {
    api: wrap<EvaluationApi>(nodeEndpoint(worker)),
    stop: async () => void (await worker.terminate()),
  }
}
