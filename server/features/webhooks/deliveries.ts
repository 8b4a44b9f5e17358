import type { Store, Write } from '#server/platform/store/store.ts'
import type { GuardedRecord } from '#server/platform/store/tables.ts'
import { mapConcurrent } from '#shared/concurrency/map-concurrent.ts'
import { createAttempt, type DeliverServices } from './deliver.ts'
import type { Delivery, NewDelivery, Place } from './delivery-store.ts'
import { dueAt, endpointWaitsInMilliseconds, takenUpAt } from './schedule.ts'

/** Longer waits are left to a sweep instead of a timer. */
const longestTimerInMilliseconds = 5 * 60_000
/** Deliveries due later than this are left to a later sweep. */
const soonInMilliseconds = 10_000
/** Limits for an endpoint sweep: how many deliveries it takes up, and how many at a time, so that a hanging receiver delays few. */
const mostTakenUp = 1000
const atOnce = 50
/** Timers may fire slightly early. */
const earlyInMilliseconds = 50

/**
 * Webhook deliveries, recorded in their event's commit and sent afterwards. A verification's address gets at most two
 * attempts; an account's endpoint follows its schedule.
 */
export interface Deliveries {
  /** Prepares a delivery to be sent immediately, or after the given time. */
  prepare(event: NewDelivery, inMilliseconds?: number): { delivery: Delivery; writes: Write[] }
  /** Sends a prepared delivery in the background. With a delay, it can be withdrawn before it is sent. */
  send(delivery: Place, inMilliseconds?: number): void
  /** Records a delivery again and sends it. */
  resend(delivery: Delivery): Promise<Delivery>
  /** Resumes the deliveries of processes that have ended, and any that are due. Several processes may do this at once. */
  resume(): Promise<void>
  /** Resolves when nothing is being sent. */
  settle(): Promise<void>
}

interface Dependencies extends DeliverServices {
  store: Store
  /** The delay after the first attempt at a verification's address. */
  retryAfterInMilliseconds: number
}

/** [Note: Tried once] A person who tests an endpoint sees the outcome, and can retry manually. */
const once: readonly number[] = []

type Deliver = (place: Place) => Promise<void>

/** The ways in which a delivery continues: immediately, when it is due, and on behalf of a process that may have died. */
function createCourier(services: Dependencies, { later }: Pick<ReturnType<typeof createWays>, 'later'>) {
  const { deliveries, now } = services
  const attempt = createAttempt(services)
  const hookWaits = [services.retryAfterInMilliseconds]
  const waitsOf = ({ endpointId, isTest }: Delivery) =>
    isTest ? once : endpointId === null ? hookWaits : endpointWaitsInMilliseconds

  async function pendingAt(place: Place): Promise<GuardedRecord<Delivery> | undefined> {
    const read = await deliveries.read(place)
    return read?.value.state === 'pending' ? read : undefined
  }

  /** [Note: Long waits are left] Deliveries that wait for hours stay in the store, and any process's next sweep continues them. */
  async function deliver(read: GuardedRecord<Delivery>): Promise<void> {
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

  /** Waits until the process that may still be sending has been silent for long enough, then continues from the record. */
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

/** The deliveries being sent, each at most once. */
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
    /** A timer that does not keep the process alive. */
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
