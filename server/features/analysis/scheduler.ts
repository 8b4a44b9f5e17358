import { busy } from '#server/platform/running/places.ts'
import { createVirtualTime } from './virtual-time.ts'
import { createWaitingLine, type Waiting } from './waiting-line.ts'

/** A picture to analyse: on whose behalf, how many pixels it takes to decode, and how long anybody listens. */
export interface Job {
  readonly accountId: string
  readonly pixels: number
  readonly signal: AbortSignal
  /** Whether it gives way to everything else of its account; never where absent. */
  readonly isEarly?: () => boolean
}

/** A slot that was acquired, for one picture. */
export interface Turn<Slot> {
  readonly slot: Slot
  /**
   * Lets others have the slot whose turn it is, and waits to have it again.
   * @throws the signal's reason where the client has hung up meanwhile
   */
  pause(): Promise<void>
  /** Gives the slot back; once. */
  release(): void
}

export interface Scheduler<Slot> {
  /** @throws {Problem} overloaded (503) when too many wait, in all or of the account, or when it takes too long */
  acquire(job: Job): Promise<Turn<Slot>>
}

export interface SchedulerLimits {
  /** [Note: Half at most] How many may wait; of one account half. Who has nothing there yet always finds a place. */
  readonly places: number
  readonly pixels: number
  /** How long a picture may wait until it is begun. */
  readonly patienceInMilliseconds: number
}

/**
 * Who has a slot next. [Note: Accounts in turn, by work] Each account has used so much time of the slots; the next is of the account that has
 * used least. So a flood delays its sender alone, however heavy its pictures are. An account that comes anew begins where the others are.
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

  /** Waits for a slot; for any where `at` is undefined, and then not for ever. */
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
      const one: Waiting<Slot> = { accountId, at, pixels, start, ...(isEarly && { isEarly }) }
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

/** Gives up when the signal says so or the patience is over; until the answer is called. */
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
