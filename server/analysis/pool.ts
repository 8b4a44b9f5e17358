import { Problem } from '#shared/problem.ts'
import type { Analysis, AnalysisApi, Wanted } from '#workers/api.ts'
import type { AnalysisService } from './analysis-service.ts'
import { unlessHungUp } from './hang-up.ts'
import { walkPicture } from './picture-header.ts'
import { createPixelBudget } from './pixel-budget.ts'
import { createQueue, type Ticket } from './queue.ts'

const waitingPerWorker = 64
const mostWaitingBytes = 256 * 1024 * 1024
const mostPixelsInFlight = 80_000_000
const everything: Wanted = {
  group: true,
  liveness: 'full',
  embedding: true,
  demographic: 'full',
  expression: 'full',
  eyes: true,
}

/** A worker that runs, behind its API. `failed` settles when it has died on its own. */
export interface RunningWorker {
  readonly api: Pick<AnalysisApi<Uint8Array>, 'prepare' | 'analyse'>
  readonly failed: Promise<Error>
  /** Settles when the thread has ended, which it does between two native calls: never, where one of them never returns. */
  stop(): Promise<void>
}

interface Options {
  threads: number
  startWorker: () => RunningWorker
  /** How long a picture may be worked on. */
  jobTimeoutInMilliseconds: number
  /** How long a picture may wait for a worker. */
  patienceInMilliseconds: number
  onFailure: (error: unknown) => void
}

/** One place where a worker runs; a new worker takes the place of one that died or hung. */
interface Seat {
  run(picture: Uint8Array, wanted: Wanted): Promise<Analysis>
  warmUp(): Promise<void>
  stop(): Promise<void>
}

/** Runs the pipeline in worker threads, one picture at a time each, so that the event loop stays free. */
export function createAnalysisPool(options: Options): AnalysisService & { warmUp(): Promise<void> } {
  const seats = Array.from({ length: options.threads }, () => createSeat(options))
  const free = [...seats]
  const withinBudget = createPixelBudget(mostPixelsInFlight)
  const queue = createQueue<Seat>({
    places: options.threads * waitingPerWorker,
    bytes: mostWaitingBytes,
    patienceInMilliseconds: options.patienceInMilliseconds,
  })

  async function takeSeat(ticket: Ticket): Promise<Seat> {
    ticket.signal.throwIfAborted()
    return free.pop() ?? queue.join(ticket)
  }

  function leave(seat: Seat): void {
    if (!queue.give(seat)) free.push(seat)
  }

  return {
    parallel: options.threads,
    async analyse(picture, wanted, { accountId, signal }) {
      const seat = await takeSeat({ accountId, bytes: picture.length, signal })
      const work = withinBudget(pixelsOf(picture), () => seat.run(picture, wanted))
      void work.catch(() => undefined).finally(() => leave(seat))
      return unlessHungUp(work, signal)
    },
    warmUp: async () => void (await Promise.all(seats.map((seat) => seat.warmUp()))),
    close: async () => void (await Promise.all(seats.map((seat) => seat.stop()))),
  }
}

/** None where the header is not readable: the worker will say so. */
function pixelsOf(picture: Uint8Array): number {
  const walked = walkPicture(picture)
  return 'fault' in walked ? 0 : walked.width * walked.height
}

function createSeat({ startWorker, jobTimeoutInMilliseconds, onFailure }: Options): Seat {
  let seated: { worker: RunningWorker; ready: Promise<void> } | undefined
  let stopped = false

  function sit() {
    if (stopped) throw new Problem('overloaded', 'The server is stopping.', { retryAfterInSeconds: 2 })
    if (seated !== undefined) return seated
    const worker = startWorker()
    const fresh = { worker, ready: Promise.race([worker.api.prepare(everything), throwing(worker.failed)]) }
    seated = fresh
    fresh.ready.catch(() => replace(fresh.worker))
    void worker.failed.then((error) => {
      if (!stopped) onFailure(error)
      replace(worker)
    })
    return fresh
  }

  function replace(worker: RunningWorker): void {
    if (seated?.worker === worker) seated = undefined
    void worker.stop()
  }

  async function run(picture: Uint8Array, wanted: Wanted): Promise<Analysis> {
    const { worker, ready } = sit()
    await ready
    const limit = timeLimit(jobTimeoutInMilliseconds)
    try {
      return await Promise.race([worker.api.analyse(picture, wanted), throwing(worker.failed), limit.over])
    } catch (error) {
      if (error === tooSlow) replace(worker)
      throw error === tooSlow
        ? new Problem('unreadable_image', 'The picture took too long to analyse.')
        : error
    } finally {
      limit.clear()
    }
  }

  return {
    run,
    warmUp: () => sit().ready,
    async stop() {
      stopped = true
      await seated?.worker.stop()
    },
  }
}

const tooSlow = Symbol('too slow')

function timeLimit(milliseconds: number): { over: Promise<never>; clear(): void } {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(tooSlow), milliseconds)
  })
  return { over, clear: () => clearTimeout(timer) }
}

async function throwing(failed: Promise<Error>): Promise<never> {
  throw await failed
}
