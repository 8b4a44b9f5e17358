import * as Comlink from 'comlink'
import type { CaptureApi } from '#workers/api.ts'
import { unlessAborted } from './unless-aborted.ts'

/** A page's analysis worker, for as long as that worker lives. */
export interface AnalysisHost {
  readonly api: Comlink.Remote<CaptureApi>
  /** Number of loads in progress. It never returns to 0 after a failed load. */
  loading: number
  /** Resolves with the answer, or rejects with WorkerStopped if the worker dies; Comlink alone would wait forever. */
  within<T>(answer: Promise<T>): Promise<T>
  isDead(): boolean
  end(): void
}

/** The worker's script did not load, or the worker was terminated. */
export class WorkerStopped extends Error {
  override readonly message = 'the analysis worker stopped'
}

/** Holds one worker. After a broken worker is dropped, the next call starts another. */
export interface AnalysisHosts {
  current(): AnalysisHost
  drop(broken: AnalysisHost): void
}

/** Creates an empty holder. The worker starts on the first call. */
export function createHosts(): AnalysisHosts {
  let host: AnalysisHost | undefined
  return {
    current() {
      host ??= startWorker()
      return host
    },
    drop(broken) {
      broken.end()
      if (host === broken) host = undefined
    },
  }
}

function startWorker(): AnalysisHost {
  const worker = new Worker(new URL('../../../workers/web/analysis.worker.ts', import.meta.url), {
    type: 'module',
  })
  const death = new AbortController()
  worker.addEventListener('error', () => death.abort(new WorkerStopped()))
  return {
    api: Comlink.wrap<CaptureApi>(worker),
    loading: 0,
    within: (answer) => unlessAborted(answer, death.signal),
    isDead: () => death.signal.aborted,
    end() {
      worker.terminate()
      death.abort(new WorkerStopped())
    },
  }
}
