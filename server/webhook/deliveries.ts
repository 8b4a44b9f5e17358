import type { Clock, Store, Write } from '#server/store/store.ts'
import type { Read } from '#server/store/tables.ts'
import type { Attempt, Delivery, DeliveryStore, NewDelivery, Place } from './delivery-store.ts'
import { isTaken, type SendEvent } from './event.ts'

const mostAttempts = 2
/** Longer than an attempt and the pause after it can take, and than clocks may differ: who was silent for so long has died. */
const takenUpAfterInMilliseconds = 9000

/** Webhook deliveries: recorded in the commit that completes a session, sent afterwards, at most twice. */
export interface Deliveries {
  prepare(event: NewDelivery): { delivery: Delivery; writes: Write[] }
  /** Sends what is prepared, in the background. */
  send(delivery: Place): void
  /** Records a delivery anew and sends it. */
  resend(delivery: Delivery): Promise<Delivery>
  /** Takes up what a process left unfinished that is no more; any number of processes may do so at once. */
  resume(): Promise<void>
  /** Waits until nothing is on its way. */
  settle(): Promise<void>
}

interface Dependencies {
  store: Store
  deliveries: DeliveryStore
  sendEvent: SendEvent
  retryAfterInMilliseconds: number
  /** Told of each delivery that is given up; absent where nobody counts. */
  onLost?: () => void
  now: Clock
}

/** Sends one delivery until it is taken or has failed for good. */
function createDeliver(services: Dependencies): (read: Read<Delivery>) => Promise<void> {
  const { deliveries, sendEvent, retryAfterInMilliseconds, onLost, now } = services

  /**
   * [Note: Counted before it is sent] A crash after this may lose an attempt but can never add one. Of several
   * processes that have read the same record one may count, and then sends; the others are told nothing and leave.
   */
  function claim(read: Read<Delivery>): Promise<Read<Delivery> | undefined> {
    const attempt = { time: new Date(now()).toISOString(), status: null, error: null }
    const before = interrupted(read.value)
    return deliveries.replace(read, { ...before, attempts: [...before.attempts, attempt] })
  }

  /**
   * One attempt, from the record that it was decided on; answers the record that it leaves where there may be another.
   * Whoever erased the delivery meanwhile, or took it up, has the last word.
   */
  async function attempt(read: Read<Delivery>): Promise<Read<Delivery> | undefined> {
    if (read.value.attempts.length >= mostAttempts) {
      const given = await deliveries.replace(read, { ...interrupted(read.value), state: 'failed' })
      if (given !== undefined) onLost?.()
      return undefined
    }
    const claimed = await claim(read)
    if (claimed === undefined) return undefined
    const outcome = await sendEvent(claimed.value)
    const done = await deliveries.replace(claimed, settled(withLast(claimed.value, outcome)))
    if (done?.value.state === 'failed') onLost?.()
    return done?.value.state === 'pending' ? done : undefined
  }

  return async (read) => {
    for (let at = await attempt(read); at !== undefined; at = await attempt(at)) {
      await pause(retryAfterInMilliseconds)
    }
  }
}

export function createDeliveries(services: Dependencies): Deliveries {
  const { store, deliveries, now } = services
  const deliver = createDeliver(services)
  const onTheirWay = new Map<string, Promise<void>>()

  async function pendingAt(place: Place): Promise<Read<Delivery> | undefined> {
    const read = await deliveries.read(place)
    return read?.value.state === 'pending' ? read : undefined
  }

  async function deliverNow(place: Place): Promise<void> {
    const read = await pendingAt(place)
    if (read !== undefined) await deliver(read)
  }

  /** Waits until whoever may still be at it has been silent for long enough; goes on from the record that told so. */
  async function takeUp(place: Place): Promise<void> {
    for (let read = await pendingAt(place); read !== undefined; read = await pendingAt(place)) {
      const silentFor = now() - Date.parse(read.value.attempts.at(-1)?.time ?? read.value.created)
      if (silentFor >= takenUpAfterInMilliseconds) return deliver(read)
      await pause(takenUpAfterInMilliseconds - silentFor)
    }
  }

  function start({ accountId, deliveryId }: Place, how: (place: Place) => Promise<void>): void {
    if (onTheirWay.has(deliveryId)) return
    const way = how({ accountId, deliveryId }).catch(() => undefined)
    onTheirWay.set(
      deliveryId,
      way.then(() => void onTheirWay.delete(deliveryId)),
    )
  }

  return {
    prepare(event) {
      const delivery = deliveries.make(event)
      return { delivery, writes: deliveries.add(delivery) }
    },
    send: (place) => start(place, deliverNow),
    async resend(delivery) {
      const again = deliveries.remake(delivery)
      await store.commit(deliveries.add(again), [])
      start(again, deliverNow)
      return again
    },
    async resume() {
      for await (const place of deliveries.pending()) start(place, takeUp)
    },
    async settle() {
      await Promise.all(onTheirWay.values())
    },
  }
}

function withLast(delivery: Delivery, told: Partial<Attempt>): Delivery {
  const { attempts } = delivery
  return { ...delivery, attempts: [...attempts.slice(0, -1), { ...attempts.at(-1)!, ...told }] }
}

/** The delivery with its last attempt told as broken off, where it was sent and nothing was heard of it. */
function interrupted(delivery: Delivery): Delivery {
  const last = delivery.attempts.at(-1)
  const isOpen = last !== undefined && last.status === null && last.error === null
  return isOpen ? withLast(delivery, { error: 'interrupted' }) : delivery
}

/** The second failure is the last. */
function settled(delivery: Delivery): Delivery {
  const attempt = delivery.attempts.at(-1)
  if (attempt !== undefined && isTaken(attempt)) return { ...delivery, state: 'delivered' }
  return delivery.attempts.length < mostAttempts ? delivery : { ...delivery, state: 'failed' }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds))
}
