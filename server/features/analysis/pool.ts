import { abortable } from '#server/platform/running/abortable.ts'
import { busy } from '#server/platform/running/places.ts'
import { walkPicture } from '#shared/picture/picture-header.ts'
import { Problem } from '#shared/problem.ts'
import type { Analysis, AnalysisStages, Piece, ThreadApi } from '#workers/api.ts'
import type { AnalysisService } from './analysis-service.ts'
import { limitPiece } from './piece-limit.ts'
import { createScheduler } from './scheduler.ts'
import { createUnlessFailed } from './unless-failed.ts'

const waitingPerWorker = 64
/** The queue length for a given number of threads. */
export const queuePlacesOf = (threads: number): number => threads * waitingPerWorker
const mostPixelsInFlight = 80_000_000
const everything: AnalysisStages = {
  group: true,
  liveness: 'full',
  embedding: true,
  demographic: 'full',
  expression: 'full',
  eyes: true,
}

/** A running worker and its API. `failed` settles if it dies. */
export interface RunningWorker {
  readonly api: Pick<ThreadApi, 'prepare' | 'begin' | 'goOn' | 'drop'>
  readonly failed: Promise<Error>
  /** Resolves when the thread has ended, which is only possible between two native calls. Never resolves if a call hangs. */
  stop(): Promise<void>
}

interface Options {
  threads: number
  startWorker: () => RunningWorker
  /** How long a picture may occupy a worker without a pause. Shorter than the patience of waiting pictures. */
  pieceTimeoutInMilliseconds: number
  /** The process's processor time so far; defaults to the system's figure. */
  usedMilliseconds?: () => number
  /** How long a picture may wait before its analysis begins. */
  patienceInMilliseconds: number
  /** The clock for measuring work, in milliseconds. */
  now?: () => number
  onFailure: (error: unknown) => void
}

/** A slot for one worker. A worker that died or hung is replaced. */
interface WorkerSlot {
  /** Waits for `pause` between steps. */
  run(picture: Uint8Array, wanted: AnalysisStages, pause: () => Promise<void>): Promise<Analysis>
  warmUp(): Promise<void>
  stop(): Promise<void>
}

interface Worker {
  readonly worker: RunningWorker
  readonly unlessFailed: ReturnType<typeof createUnlessFailed>
  readonly ready: Promise<void>
}

function preparedBy(worker: RunningWorker): Worker {
  const unlessFailed = createUnlessFailed(worker.failed)
  return { worker, unlessFailed, ready: unlessFailed(worker.api.prepare(everything)) }
}

/** Runs the pipeline in worker threads, one picture step per worker at a time, so that the event loop stays free. */
export function createAnalysisPool(options: Options): AnalysisService & { warmUp(): Promise<void> } {
  const slots = Array.from({ length: options.threads }, () => createWorkerSlot(options))
  const limits = {
    places: queuePlacesOf(options.threads),
    pixels: mostPixelsInFlight,
    patienceInMilliseconds: options.patienceInMilliseconds,
  }
  const scheduler = createScheduler<WorkerSlot>(slots, limits, options.now)
  return {
    parallel: options.threads,
    async analyse(picture, wanted, { accountId, signal, isEarly }) {
      const job = { accountId, pixels: pixelsOf(picture), signal, ...(isEarly && { isEarly }) }
      const turn = await scheduler.acquire(job)
      const work = turn.slot.run(picture, wanted, turn.pause)
      void work.catch(() => undefined).finally(turn.release)
      return abortable(work, signal)
    },
    warmUp: async () => void (await Promise.all(slots.map((slot) => slot.warmUp()))),
    close: async () => void (await Promise.all(slots.map((slot) => slot.stop()))),
  }
}

/** 0 if the header is unreadable, which the worker will report. */
function pixelsOf(picture: Uint8Array): number {
  const walked = walkPicture(picture)
  return 'fault' in walked ? 0 : walked.width * walked.height
}

function createWorkerSlot(options: Options): WorkerSlot {
  const { startWorker, pieceTimeoutInMilliseconds, usedMilliseconds, onFailure } = options
  let current: Worker | undefined
  let stopped = false

  function start() {
    if (stopped) throw new Problem('overloaded', 'The server is stopping.', { retryAfterInSeconds: 2 })
    if (current !== undefined) return current
    const worker = startWorker()
    const fresh = preparedBy(worker)
    current = fresh
    fresh.ready.catch(() => replace(fresh.worker))
    void worker.failed.then((error) => {
      if (!stopped) onFailure(error)
      replace(worker)
    })
    return fresh
  }

  function replace(worker: RunningWorker): void {
    if (current?.worker === worker) current = undefined
    void worker.stop()
  }

  async function within({ worker, unlessFailed }: Worker, work: Promise<Piece>): Promise<Piece> {
    const limit = limitPiece(pieceTimeoutInMilliseconds, usedMilliseconds)
    limit.over.catch(() => replace(worker))
    try {
      return await Promise.race([unlessFailed(work), limit.over])
    } finally {
      limit.clear()
    }
  }

  async function run(
    picture: Uint8Array,
    wanted: AnalysisStages,
    pause: () => Promise<void>,
  ): Promise<Analysis> {
    const started = start()
    const { worker } = started
    await started.ready
    let piece = await within(started, worker.api.begin(picture, wanted))
    while ('rest' in piece) {
      const { rest } = piece
      await pause().catch(dropping(worker, rest))
      // [Note: Lost with its worker] Pictures that were waiting for this worker fail with it, and their senders may retry.
      if (current?.worker !== worker) throw busy()
      piece = await within(started, worker.api.goOn(rest))
    }
    return piece.analysis
  }

  return {
    run,
    warmUp: () => start().ready,
    async stop() {
      stopped = true
      await current?.worker.stop()
    },
  }
}

/** Drops what is left of an abandoned picture. */
function dropping({ api }: RunningWorker, rest: number) {
  return (error: unknown): never => {
    void api.drop(rest).catch(() => undefined)
    throw error
  }
}
