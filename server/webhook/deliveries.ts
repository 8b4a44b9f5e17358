import type { Clock, Store, Write } from '#server/store/store.ts'
import type { Read } from '#server/store/tables.ts'
import type { Attempt, Delivery, DeliveryStore, NewDelivery, Place } from './delivery-store.ts'
import { isTaken, type SendEvent } from './event.ts'

const mostAttempts = 2
/** Longer than an attempt and the pause after it can take: who was silent for so long has died. */
const takenUpAfterInMilliseconds = 7000

/** Webhook deliveries: recorded in the commit that completes a session, sent afterwards, at most twice. */
export interface Deliveries {
  prepare(event: NewDelivery): { delivery: Delivery; writes: Write[] }
  /** Sends what is prepared, in the background. */
  send(delivery: Place): void
  /** Records a delivery anew and sends it. */
  resend(delivery: Delivery): Promise<Delivery>
  /** Takes up what a process left unfinished that is no more. */
  resume(): Promise<void>
  /** Waits until nothing is on its way. */
  settle(): Promise<void>
}

interface Dependencies {
  store: Store
  deliveries: DeliveryStore
  sendEvent: SendEvent
  retryAfterInMilliseconds: number
  now: Clock
}

export function createDeliveries(services: Dependencies): Deliveries {
  const { store, deliveries, sendEvent, retryAfterInMilliseconds, now } = services
  const onTheirWay = new Map<string, Promise<void>>()

  const last = (delivery: Delivery) => delivery.attempts.at(-1)
  const withLast = (delivery: Delivery, attempt: Partial<Attempt>): Delivery => ({
    ...delivery,
    attempts: delivery.attempts.map((one, i) =>
      i === delivery.attempts.length - 1 ? { ...one, ...attempt } : one,
    ),
  })

  /** [Note: Counted before it is sent] A crash after this may lose an attempt but can never add one. */
  async function claim(read: Read<Delivery>): Promise<Delivery | undefined> {
    const attempt = { time: new Date(now()).toISOString(), status: null, error: null }
    const before = isOpen(last(read.value)) ? withLast(read.value, { error: 'interrupted' }) : read.value
    const claimed = { ...before, attempts: [...before.attempts, attempt] }
    return (await deliveries.replace(read, claimed)) ? claimed : undefined
  }

  /** Whoever erased the delivery meanwhile, or took it up, has the last word. */
  async function finish(place: Place, make: (delivery: Delivery) => Delivery): Promise<boolean> {
    const read = await deliveries.read(place)
    if (read === undefined || read.value.state !== 'pending') return false
    const delivery = make(read.value)
    return (await deliveries.replace(read, delivery)) && delivery.state === 'pending'
  }

  /** Answers whether to go on. */
  async function attempt(place: Place): Promise<boolean> {
    const read = await deliveries.read(place)
    if (read === undefined || read.value.state !== 'pending') return false
    if (read.value.attempts.length >= mostAttempts) return finish(place, interrupted)
    const claimed = await claim(read)
    if (claimed === undefined) return false
    const outcome = await sendEvent(claimed)
    return finish(place, (delivery) => settled(withLast(delivery, outcome)))
  }

  async function deliver(place: Place): Promise<void> {
    while (await attempt(place)) await pause(retryAfterInMilliseconds)
  }

  /** Waits until whoever may still be at it has been silent for long enough. */
  async function takeUp(place: Place): Promise<void> {
    for (;;) {
      const delivery = (await deliveries.read(place))?.value
      if (delivery === undefined || delivery.state !== 'pending') return
      const silentFor = now() - Date.parse(last(delivery)?.time ?? delivery.created)
      if (silentFor >= takenUpAfterInMilliseconds) return deliver(place)
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

  function interrupted(delivery: Delivery): Delivery {
    const told = isOpen(last(delivery)) ? withLast(delivery, { error: 'interrupted' }) : delivery
    return { ...told, state: 'failed' }
  }

  return {
    prepare(event) {
      const delivery = deliveries.make(event)
      return { delivery, writes: deliveries.add(delivery) }
    },
    send: (place) => start(place, deliver),
    async resend(delivery) {
      const again = deliveries.remake(delivery)
      await store.commit(deliveries.add(again), [])
      start(again, deliver)
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

/** Sent, and nothing heard of it. */
function isOpen(attempt: Attempt | undefined): boolean {
  return attempt !== undefined && attempt.status === null && attempt.error === null
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
