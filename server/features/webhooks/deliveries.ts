import type { Store, Write } from '#server/platform/store/store.ts'
import type { Read } from '#server/platform/store/tables.ts'
import { mapConcurrent } from '#shared/concurrency/map-concurrent.ts'
import { createAttempt, type DeliverServices } from './deliver.ts'
import type { Delivery, NewDelivery, Place } from './delivery-store.ts'
import { dueAt, endpointWaitsInMilliseconds, takenUpAt } from './schedule.ts'

/** For longer than this a sweep is waited for, not a timer. */
const longestTimerInMilliseconds = 5 * 60_000
/** What is due later than this is left to a later sweep. */
const soonInMilliseconds = 10_000
/** Of those that wait for endpoints, a sweep takes up so many, so many at once: one that hangs holds up few. */
const mostTakenUp = 1000
const atOnce = 50
/** A timer may fire a little early. */
const earlyInMilliseconds = 50

/**
 * Webhook deliveries: recorded in the commit of what they tell, sent afterwards. To the address of a verification at
 * most twice; to an endpoint of the account by its schedule.
 */
export interface Deliveries {
  /** To be sent at once, or so much later. */
  prepare(event: NewDelivery, inMilliseconds?: number): { delivery: Delivery; writes: Write[] }
  /** Sends what is prepared, in the background; in a while, unless it has been taken back by then. */
  send(delivery: Place, inMilliseconds?: number): void
  /** Records a delivery anew and sends it. */
  resend(delivery: Delivery): Promise<Delivery>
  /** Takes up what a process left unfinished that is no more, and what is due; any number of processes may do so at once. */
  resume(): Promise<void>
  /** Waits until nothing is on its way. */
  settle(): Promise<void>
}

interface Dependencies extends DeliverServices {
  store: Store
  /** After the first attempt at the address of a verification. */
  retryAfterInMilliseconds: number
}

/** [Note: Tried once] Who tries an endpoint looks at what comes of it, and tries again by hand. */
const once: readonly number[] = []

type Deliver = (place: Place) => Promise<void>

/** The ways in which a delivery goes on: at once, when it is due, and in place of a process that may have died. */
function createCourier(services: Dependencies, { later }: Pick<ReturnType<typeof createWays>, 'later'>) {
  const { deliveries, now } = services
  const attempt = createAttempt(services)
  const hookWaits = [services.retryAfterInMilliseconds]
  const waitsOf = ({ endpointId, isTest }: Delivery) =>
    isTest ? once : endpointId === null ? hookWaits : endpointWaitsInMilliseconds

  async function pendingAt(place: Place): Promise<Read<Delivery> | undefined> {
    const read = await deliveries.read(place)
    return read?.value.state === 'pending' ? read : undefined
  }

  /** [Note: Long waits are left] What waits for hours waits in the store: whichever process sweeps next goes on with it. */
  async function deliver(read: Read<Delivery>): Promise<void> {
    for (let at: typeof read | undefined = read; at !== undefined; ) {
      const left = await attempt(at, waitsOf(at.value))
      if (left === undefined) return
      const wait = dueAt(left.value, waitsOf(left.value)) - now()
      if (left.value.endpointId !== null) {
        if (wait <= longestTimerInMilliseconds) later(left.value, wait, deliverDue)
        return
      }
      await pause(wait)
      at = left
    }
  }

  async function deliverNow(place: Place): Promise<void> {
    const read = await pendingAt(place)
    if (read !== undefined) await deliver(read)
  }

  async function deliverDue(place: Place): Promise<void> {
    const read = await pendingAt(place)
    if (read === undefined) return
    if (dueAt(read.value, waitsOf(read.value)) <= now() + earlyInMilliseconds) await deliver(read)
  }

  /** Waits until whoever may still be at it has been silent for long enough; goes on from the record that says so. */
  async function takeUp(place: Place): Promise<void> {
    for (let read = await pendingAt(place); read !== undefined; read = await pendingAt(place)) {
      const wait = takenUpAt(read.value, waitsOf(read.value)) - now()
      if (wait <= 0) return deliver(read)
      if (wait > soonInMilliseconds) return
      await pause(wait)
    }
  }

  return { deliverNow, takeUp }
}

export function createDeliveries(services: Dependencies): Deliveries {
  const { store, deliveries, now } = services
  const ways = createWays()
  const { start, settle } = ways
  const { deliverNow, takeUp } = createCourier(services, ways)

  return {
    prepare(event, inMilliseconds = 0) {
      const delivery = deliveries.make(event)
      const dueAt = inMilliseconds === 0 ? undefined : now() + inMilliseconds
      return { delivery, writes: deliveries.add(delivery, dueAt) }
    },
    send(place, inMilliseconds = 0) {
      if (inMilliseconds === 0) void start(place, deliverNow)
      else ways.later(place, inMilliseconds, deliverNow)
    },
    async resend(delivery) {
      const again = deliveries.remake(delivery)
      await store.commit(deliveries.add(again), [])
      void start(again, deliverNow)
      return again
    },
    async resume() {
      const scheduled: Place[] = []
      for await (const { dueAt: due, ...place } of deliveries.pending()) {
        if (due === undefined) void start(place, takeUp)
        else if (due <= now() && scheduled.length < mostTakenUp) scheduled.push(place)
      }
      if (scheduled.length > 0) void mapConcurrent(scheduled, atOnce, (place) => start(place, takeUp))
    },
    settle,
  }
}

/** What is on its way: each delivery once. */
function createWays() {
  const onTheirWay = new Map<string, Promise<void>>()

  function start({ accountId, deliveryId }: Place, how: Deliver): Promise<void> {
    const known = onTheirWay.get(deliveryId)
    if (known !== undefined) return known
    const way = how({ accountId, deliveryId })
      .catch(() => undefined)
      .finally(() => onTheirWay.delete(deliveryId))
    onTheirWay.set(deliveryId, way)
    return way
  }

  return {
    start,
    /** A timer that keeps no process alive, and that nobody waits for. */
    later: (place: Place, inMilliseconds: number, how: Deliver) =>
      void setTimeout(() => void start(place, how), inMilliseconds).unref(),
    async settle(): Promise<void> {
      await Promise.all(onTheirWay.values())
    },
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds))
}
