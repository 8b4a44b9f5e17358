import { busy } from '#server/platform/running/places.ts'
import { createVirtualTime } from './virtual-time.ts'
import { createWaitingLine, type Waiting } from './waiting-line.ts'

/** A picture to analyse: its account, the pixels it takes to decode, and the signal that ends the wait. */
export interface Job {
  readonly accountId: string
  readonly pixels: number
  readonly signal: AbortSignal
}

/** A slot that was acquired for one picture. */
export interface Turn<Slot> {
  readonly slot: Slot
  /**
   * Gives way to others whose turn it is, and waits to get the slot back.
   * @throws the signal's reason if the client has disconnected in the meantime
   */
  pause(): Promise<void>
  /** Gives the slot back. Further calls do nothing. */
  release(): void
}

export interface Scheduler<Slot> {
  /** @throws {Problem} overloaded (503) if too many are waiting, in total or for the account, or the wait takes too long */
  acquire(job: Job): Promise<Turn<Slot>>
}

export interface SchedulerLimits {
  /**
   * [Note: Half at most] Maximum number of waiting pictures, half of it for one account. An account without waiting
   * pictures always finds a place.
   */
  readonly places: number
  readonly pixels: number
  /** How long a picture may wait before its analysis begins. */
  readonly patienceInMilliseconds: number
}

/**
 * Decides who gets the next slot. [Note: Accounts in turn, by work] Each account has used some time of the slots, and the
 * one that has used least is next. A flood therefore delays only its sender, however heavy its pictures are. A new
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

  /** Waits for a slot: for any if `at` is undefined, and then only for a limited time. */
  function waitForSlot({ accountId, pixels, signal }: Job, at: Slot | undefined): Promise<Slot> {
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
      const one: Waiting<Slot> = { accountId, at, pixels, start }
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

/** Rejects on the signal or at the end of the patience, until the returned function is called. */
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
