import { busy } from '#server/platform/running/places.ts'
import { createVirtualTime } from './virtual-time.ts'
import { createWaitingLine, type WaitingPicture } from './waiting-line.ts'

/** A picture to analyse: its account, how many pixels decoding takes, and the signal that ends the wait. */
export interface Job {
  readonly accountId: string
  readonly pixels: number
  readonly signal: AbortSignal
  /** True if the picture gives way to all of its account's other work; defaults to never. */
  readonly isEarly?: () => boolean
}

/** A slot acquired for one picture. */
export interface Turn<Slot> {
  readonly slot: Slot
  /**
   * Gives way if it is another picture's turn, and waits to get the slot back.
   * @throws the signal's reason if the client has disconnected in the meantime
   */
  pause(): Promise<void>
  /** Gives the slot back. Further calls are no-ops. */
  release(): void
}

export interface Scheduler<Slot> {
  /** @throws {Problem} overloaded (503) if too many are waiting, in total or for the account, or the wait takes too long */
  acquire(job: Job): Promise<Turn<Slot>>
}

export interface SchedulerLimits {
  /**
   * [Note: Half at most] The maximum number of waiting pictures; a single account may have half of them. An account without
   * waiting pictures always finds a place.
   */
  readonly places: number
  readonly pixels: number
  /** How long a picture may wait before its analysis begins. */
  readonly patienceInMilliseconds: number
}

/**
 * Decides who gets the next slot. [Note: Accounts in turn, by work] The account that has used the least slot time is next.
 * So a flood delays only its sender, however heavy its pictures are. A new
 * account starts level with the others.
 */
export function createScheduler<Slot>(
  slots: readonly Slot[],
  limits: SchedulerLimits,
  now: () => number = () => performance.now(),
): Scheduler<Slot> {
  const free = new Set(slots)
  const virtualTime = createVirtualTime()
  const line = createWaitingLine<Slot>(limits, virtualTime)

  function dispatch(): void {
    for (const slot of [...free]) {
      const next = line.takeFor(slot)
      if (next === undefined) continue
      free.delete(slot)
      virtualTime.begin(next.accountId)
      next.start(slot)
    }
  }

  /** Waits for a slot: for any slot if `at` is undefined, and then with a time limit. */
  function waitForSlot({ accountId, pixels, signal, isEarly }: Job, at: Slot | undefined): Promise<Slot> {
    const patience = at === undefined ? limits.patienceInMilliseconds : undefined
    return new Promise((done, fail) => {
      const giveUp = (reason: unknown) => {
        line.leave(one)
        virtualTime.end(accountId, 0)
        dispatch()
        fail(reason)
      }
      const settle = unlessGivenUp(signal, patience, giveUp)
      const start = (slot: Slot) => {
        settle()
        done(slot)
      }
      const one: WaitingPicture<Slot> = { accountId, at, pixels, start, ...(isEarly && { isEarly }) }
      virtualTime.join(accountId)
      line.join(one)
      dispatch()
    })
  }

  function giveBack(slot: Slot, accountId: string, work: number): void {
    virtualTime.end(accountId, work)
    free.add(slot)
  }

  return {
    async acquire(job) {
      job.signal.throwIfAborted()
      line.refuseFull(job.accountId)
      const slot = await waitForSlot(job, undefined)
      const onRelease = () => {
        line.free(job.pixels)
        dispatch()
      }
      return turnAt<Slot>(slot, job, { now, giveBack, waitForSlot, onRelease })
    },
  }
}

interface SchedulerState<Slot> {
  now(): number
  giveBack(slot: Slot, accountId: string, work: number): void
  waitForSlot(job: Job, at: Slot | undefined): Promise<Slot>
  onRelease(): void
}

function turnAt<Slot>(
  slot: Slot,
  job: Job,
  { now, giveBack, waitForSlot, onRelease }: SchedulerState<Slot>,
): Turn<Slot> {
  let since: number | undefined = now()
  const stopClock = () => {
    if (since !== undefined) giveBack(slot, job.accountId, now() - since)
    since = undefined
  }
  return {
    slot,
    async pause() {
      job.signal.throwIfAborted()
      stopClock()
      await waitForSlot(job, slot)
      since = now()
    },
    release() {
      stopClock()
      onRelease()
    },
  }
}

/** Rejects on the signal or when patience runs out, until the returned function is called. */
function unlessGivenUp(
  signal: AbortSignal,
  patienceInMilliseconds: number | undefined,
  giveUp: (reason: unknown) => void,
): () => void {
  const hangUp = () => end(signal.reason)
  const patience =
    patienceInMilliseconds === undefined ? undefined : setTimeout(() => end(busy()), patienceInMilliseconds)
  const settle = () => {
    clearTimeout(patience)
    signal.removeEventListener('abort', hangUp)
  }
  const end = (reason: unknown) => {
    settle()
    giveUp(reason)
  }
  signal.addEventListener('abort', hangUp, { once: true })
  return settle
}
