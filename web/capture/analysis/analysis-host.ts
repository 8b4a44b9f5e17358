import * as Comlink from 'comlink'
import type { CaptureApi } from '#workers/api.ts'
import { unlessAborted } from './unless-aborted.ts'

/** The analysis worker of a page, as long as it lives. */
export interface AnalysisHost {
  readonly api: Comlink.Remote<CaptureApi>
  /** How much is still being loaded; never 0 again once something could not be. */
  loading: number
  /** A call's answer, or a WorkerStopped when the worker dies meanwhile: Comlink alone would wait for ever. */
  within<T>(answer: Promise<T>): Promise<T>
  isDead(): boolean
  end(): void
}

/** The worker's script did not arrive, or the worker was ended. */
export class WorkerStopped extends Error {
  override readonly message = 'the analysis worker stopped'
}

/** Keeps one worker; whoever finds it broken drops it, and the next call starts another. */
export interface AnalysisHosts {
  current(): AnalysisHost
  drop(broken: AnalysisHost): void
}

/** Makes the place of a worker; the worker starts with the first call. */
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
