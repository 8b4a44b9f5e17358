import { randomUUID } from 'node:crypto'
import type { Clock, Store, Write } from '#server/store/store.ts'
import { createTable, deployment, type Read } from '#server/store/tables.ts'
import type { SendEvent } from './event.ts'

const mostAttempts = 2
const retentionInSeconds = 7 * 24 * 3600

export interface Delivery {
  readonly deliveryId: string
  readonly accountId: string
  readonly verificationSessionId: string
  readonly address: string
  readonly created: string
  readonly state: 'pending' | 'delivered' | 'failed'
  readonly attempts: number
}

interface Pending {
  accountId: string
  deliveryId: string
}

/** Webhook deliveries: recorded in the commit that completes a session, sent afterwards, at most twice. */
export interface Deliveries {
  prepare(event: { accountId: string; sessionId: string; address: string }): {
    delivery: Delivery
    writes: Write[]
  }
  /** Sends what is prepared, in the background. */
  send(delivery: Delivery): void
  /** Takes up what an earlier process left unfinished. */
  resume(): Promise<void>
  /** Waits until nothing is on its way. */
  settle(): Promise<void>
}

interface Dependencies {
  store: Store
  sendEvent: SendEvent
  retryAfterInMilliseconds: number
  now: Clock
}

export function createDeliveries({
  store,
  sendEvent,
  retryAfterInMilliseconds,
  now,
}: Dependencies): Deliveries {
  const deliveries = createTable<Delivery>(store, 'delivery')
  const pending = createTable<Pending>(store, 'pending-delivery')
  const onTheirWay = new Set<Promise<void>>()

  const writeOf = (delivery: Delivery) =>
    deliveries.write(delivery.accountId, delivery.deliveryId, delivery, retentionInSeconds)
  const unlist = (delivery: Delivery) => pending.write(deployment, delivery.deliveryId, undefined)

  /** [Note: Counted before it is sent] A crash after this may lose an attempt but can never add one. */
  async function claim(read: Read<Delivery>): Promise<Delivery | undefined> {
    const claimed = { ...read.value, attempts: read.value.attempts + 1 }
    return (await store.commit([writeOf(claimed)], [read.guard])) ? claimed : undefined
  }

  async function finish(delivery: Delivery, state: 'delivered' | 'failed'): Promise<void> {
    await store.commit([writeOf({ ...delivery, state }), unlist(delivery)], [])
  }

  async function deliver({ accountId, deliveryId }: Pending): Promise<void> {
    for (;;) {
      const read = await deliveries.read(accountId, deliveryId)
      if (read === undefined || read.value.state !== 'pending') return
      if (read.value.attempts >= mostAttempts) return finish(read.value, 'failed')
      const claimed = await claim(read)
      if (claimed === undefined) return
      if (await sendEvent(claimed)) return finish(claimed, 'delivered')
      if (claimed.attempts < mostAttempts) await pause(retryAfterInMilliseconds)
    }
  }

  function start(delivery: Pending): void {
    const way = deliver(delivery).catch(() => undefined)
    onTheirWay.add(way)
    void way.then(() => onTheirWay.delete(way))
  }

  return {
    prepare({ accountId, sessionId, address }) {
      const delivery: Delivery = {
        deliveryId: randomUUID(),
        accountId,
        verificationSessionId: sessionId,
        address,
        created: new Date(now()).toISOString(),
        state: 'pending',
        attempts: 0,
      }
      const { deliveryId } = delivery
      const listed = pending.write(deployment, deliveryId, { accountId, deliveryId }, retentionInSeconds)
      return { delivery, writes: [writeOf(delivery), listed] }
    },
    send: start,
    async resume() {
      for await (const delivery of pending.list(deployment)) start(delivery)
    },
    async settle() {
      await Promise.all(onTheirWay)
    },
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds))
}
