import { busy } from '#server/operations/places.ts'

/** What somebody waits with: on whose behalf, how much memory it holds, and how long anybody listens. */
export interface Ticket {
  readonly accountId: string
  readonly bytes: number
  readonly signal: AbortSignal
}

/** Those who wait for something, by account; bounded. Who hangs up leaves the queue. */
export interface Queue<T> {
  /**
   * Answers what is given when the turn has come.
   * @throws {Problem} overloaded when the queue is full, for all or for the account, or when it takes too long
   */
  join(ticket: Ticket): Promise<T>
  /** Hands something straight to the first of the account whose turn it is; answers whether anybody was there. */
  give(item: T): boolean
}

export interface QueueLimits {
  /** [Note: Half at most] One account holds at most half of the places, so that another always finds one. */
  readonly places: number
  readonly bytes: number
  readonly patienceInMilliseconds: number
}

interface Waiting<T> {
  readonly bytes: number
  readonly take: (item: T) => void
}

/** [Note: Accounts in turn] The accounts take turns, and each has a queue of its own: a flood delays only its sender. */
export function createQueue<T>({ places, bytes: mostBytes, patienceInMilliseconds }: QueueLimits): Queue<T> {
  const lanes = new Map<string, Set<Waiting<T>>>()
  const count = () => [...lanes.values()].reduce((sum, lane) => sum + lane.size, 0)
  const weight = () =>
    [...lanes.values()].flatMap((lane) => [...lane]).reduce((sum, { bytes }) => sum + bytes, 0)

  function enter(accountId: string, waiting: Waiting<T>): void {
    const lane = lanes.get(accountId) ?? new Set()
    const isFull = count() >= places || lane.size >= Math.max(1, Math.floor(places / 2))
    if (isFull || weight() + waiting.bytes > mostBytes) throw busy()
    lanes.set(accountId, lane.add(waiting))
  }

  function leave(accountId: string, waiting: Waiting<T>): void {
    const lane = lanes.get(accountId)
    lane?.delete(waiting)
    if (lane?.size === 0) lanes.delete(accountId)
  }

  return {
    join: ({ accountId, bytes, signal }) =>
      new Promise((done, fail) => {
        const take = (item: T) => {
          settle()
          done(item)
        }
        const waiting = { bytes, take }
        const giveUp = (reason: unknown) => {
          settle()
          leave(accountId, waiting)
          fail(reason)
        }
        const hangUp = () => giveUp(signal.reason)
        enter(accountId, waiting)
        const patience = setTimeout(() => giveUp(busy()), patienceInMilliseconds)
        signal.addEventListener('abort', hangUp, { once: true })
        const settle = () => {
          clearTimeout(patience)
          signal.removeEventListener('abort', hangUp)
        }
      }),
    give(item) {
      const [next] = lanes
      if (next === undefined) return false
      const [accountId, lane] = next
      const [first] = lane
      lanes.delete(accountId)
      lane.delete(first!)
      if (lane.size > 0) lanes.set(accountId, lane)
      first!.take(item)
      return true
    },
  }
}
