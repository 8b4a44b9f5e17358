import { randomUUID } from 'node:crypto'
import { sortInTurns } from '#server/platform/running/sort-in-turns.ts'
import { type Clock, guardOf, type Store, type Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type GuardedRecord } from '#server/platform/store/tables.ts'
import type { AccountEventName, AttentionFact } from '#shared/contract/account/event.ts'
import type { DeliveryError, deliveryStates } from '#shared/contract/account/webhook.ts'

const retentionInMilliseconds = 7 * 24 * 3600 * 1000
const dayInMilliseconds = 24 * 3600 * 1000

export interface Attempt {
  readonly time: string
  readonly status: number | null
  readonly error: DeliveryError | null
}

export interface Delivery {
  readonly deliveryId: string
  /** The `webhook-id` shared by all attempts. It is kept if another delivery sends this one again. */
  readonly webhookId: string
  readonly accountId: string
  readonly event: AccountEventName
  /** The account's endpoint that receives it; null for a verification's address. */
  readonly endpointId: string | null
  /** One of these three names the event's subject. */
  readonly verificationSessionId: string | null
  readonly kioskId: string | null
  readonly collectionId: string | null
  /** The condition that an `AttentionNeeded` event is about; absent from all other events. */
  readonly attention?: AttentionFact
  /** The sealed external ID of the person named by the event; absent from all other events. */
  readonly sealedPerson?: string
  /** True for an endpoint test; absent otherwise. */
  readonly isTest?: true
  /** ISO 8601. */
  readonly occurredAt: string
  readonly address: string
  readonly created: string
  /** Milliseconds since 1970, so that no trace of a session outlives it. */
  readonly keepUntil: number
  readonly state: (typeof deliveryStates)[number]
  readonly resendOf: string | null
  readonly attempts: readonly Attempt[]
}

export interface Place {
  readonly accountId: string
  readonly deliveryId: string
}

interface ListKey {
  readonly deliveryId: string
  readonly created: number
}

/** The upper bound for a page of the list. */
export interface PageBound {
  readonly created: number
  readonly deliveryId: string
}

/** A pending delivery, and the time from which any process may take it up. */
export interface PendingDelivery extends Place {
  /** Milliseconds since 1970; absent if only its record has it. */
  readonly dueAt?: number
}

export type NewDelivery = Pick<Delivery, 'accountId' | 'event' | 'occurredAt' | 'address'> &
  Partial<
    Pick<
      Delivery,
      | 'endpointId'
      | 'verificationSessionId'
      | 'kioskId'
      | 'collectionId'
      | 'attention'
      | 'sealedPerson'
      | 'isTest'
    >
  > & {
    /** When the session or the event itself took place, in milliseconds since 1970. The record expires 7 days later. */
    readonly sessionCreated: number
  }

/** A list's filter; null for everything. */
export type DeliveryFilter = ((delivery: Delivery) => boolean) | null

/** Webhook deliveries, stored for 7 days. */
export interface DeliveryStore {
  make(event: NewDelivery): Delivery
  remake(delivery: Delivery): Delivery
  /** The writes for a new delivery. No process takes it up before `dueAt`, if given. */
  add(delivery: Delivery, dueAt?: number): Write[]
  read(place: Place): Promise<GuardedRecord<Delivery> | undefined>
  /**
   * Replaces the record unless another process has done so since it was read, and returns it as if read again. `dueAt` tells
   * other processes when to look at it again.
   */
  replace(
    before: GuardedRecord<Delivery>,
    delivery: Delivery,
    dueAt?: number,
  ): Promise<GuardedRecord<Delivery> | undefined>
  pending(): AsyncIterable<PendingDelivery>
  /** Newest first. */
  page(accountId: string, limit: number, below?: PageBound, wanted?: DeliveryFilter): Promise<Delivery[]>
  ofSession(accountId: string, sessionId: string, below?: PageBound): Promise<Delivery[]>
  /** The writes that remove a delivery. */
  remove(delivery: Delivery): Write[]
}

/** The tables that contain deliveries, and the writes to them. */
function createShelves(store: Store, now: Clock) {
  const deliveries = createTable<Delivery>(store, 'delivery')
  const pending = createTable<PendingDelivery>(store, 'pending-delivery')
  const byDay = createTable<ListKey>(store, 'delivery-by-day')
  const bySession = createTable<ListKey>(store, 'delivery-by-session')

  const secondsLeft = ({ keepUntil }: Delivery) => Math.max(1, (keepUntil - now()) / 1000)
  const writeOf = (delivery: Delivery) =>
    deliveries.write(delivery.accountId, delivery.deliveryId, delivery, secondsLeft(delivery))

  /** The lists that contain a delivery: its account's list for that day, and its session's. */
  function listings(delivery: Delivery, listed: ListKey | undefined): Write[] {
    const { accountId, deliveryId, verificationSessionId, created } = delivery
    const left = secondsLeft(delivery)
    const days = byDay.write(dayOf(accountId, Date.parse(created)), deliveryId, listed, left)
    if (verificationSessionId === null) return [days]
    return [days, bySession.write(sessionOf(accountId, verificationSessionId), deliveryId, listed, left)]
  }

  /** Removes it from the list of pending deliveries, or sets when to look at it again. */
  function waitingOf(delivery: Delivery, dueAt: number | undefined): Write[] {
    const { state, accountId, deliveryId } = delivery
    if (state !== 'pending') return [pending.write(deployment, deliveryId, undefined)]
    if (dueAt === undefined) return []
    return [pending.write(deployment, deliveryId, { accountId, deliveryId, dueAt }, secondsLeft(delivery))]
  }

  return { deliveries, pending, byDay, bySession, secondsLeft, writeOf, listings, waitingOf }
}

export function createDeliveryStore(store: Store, now: Clock): DeliveryStore {
  const shelves = createShelves(store, now)
  const { deliveries, pending, byDay, bySession, secondsLeft, writeOf, listings, waitingOf } = shelves

  async function resolve(accountId: string, listed: readonly ListKey[]): Promise<Delivery[]> {
    const found = await Promise.all(listed.map(({ deliveryId }) => deliveries.get(accountId, deliveryId)))
    return found.filter((delivery) => delivery !== undefined)
  }

  return {
    make: (event) => newDelivery(event, now()),
    remake: (delivery) => resent(delivery, now()),
    add(delivery, dueAt) {
      const { accountId, deliveryId, created } = delivery
      const place = pending.write(
        deployment,
        deliveryId,
        { accountId, deliveryId, ...(dueAt !== undefined && { dueAt }) },
        secondsLeft(delivery),
      )
      return [writeOf(delivery), place, ...listings(delivery, { deliveryId, created: Date.parse(created) })]
    },
    read: ({ accountId, deliveryId }) => deliveries.read(accountId, deliveryId),
    async replace(before, delivery, dueAt) {
      const write = writeOf(delivery)
      const isReplaced = await store.commit([write, ...waitingOf(delivery, dueAt)], [before.guard])
      return isReplaced ? { value: delivery, guard: guardOf(write) } : undefined
    },
    pending: () => pending.listReadable(deployment),
    async page(accountId, limit, below, wanted = null) {
      const start = below?.created ?? now()
      const found: Delivery[] = []
      for (let ago = 0; found.length < limit && ago <= retentionInMilliseconds + dayInMilliseconds; ) {
        const listed = await newest(byDay.list(dayOf(accountId, start - ago)), below)
        for (let at = 0; at < listed.length && found.length < limit; at += limit) {
          const batch = await resolve(accountId, listed.slice(at, at + limit))
          found.push(...(wanted === null ? batch : batch.filter(wanted)))
        }
        ago += dayInMilliseconds
      }
      return found.slice(0, limit)
    },
    ofSession: async (accountId, sessionId, below) =>
      resolve(accountId, await newest(bySession.list(sessionOf(accountId, sessionId)), below)),
    remove: (delivery) => [
      deliveries.write(delivery.accountId, delivery.deliveryId, undefined),
      pending.write(deployment, delivery.deliveryId, undefined),
      ...listings(delivery, undefined),
    ],
  }
}

function newDelivery({ sessionCreated, ...event }: NewDelivery, now: number): Delivery {
  const deliveryId = randomUUID()
  return {
    deliveryId,
    webhookId: deliveryId,
    endpointId: null,
    verificationSessionId: null,
    kioskId: null,
    collectionId: null,
    ...event,
    created: new Date(now).toISOString(),
    keepUntil: sessionCreated + retentionInMilliseconds,
    state: 'pending',
    resendOf: null,
    attempts: [],
  }
}

function resent(delivery: Delivery, now: number): Delivery {
  const created = new Date(now).toISOString()
  const resendOf = delivery.deliveryId
  return { ...delivery, deliveryId: randomUUID(), created, state: 'pending', resendOf, attempts: [] }
}

async function newest(list: AsyncIterable<ListKey>, below: PageBound | undefined): Promise<ListKey[]> {
  const found: ListKey[] = []
  for await (const listed of list) if (isBelow(listed, below)) found.push(listed)
  return sortInTurns(found, newestFirst)
}

function dayOf(accountId: string, time: number): string {
  return `${accountId}/${new Date(time).toISOString().slice(0, 10)}`
}

function sessionOf(accountId: string, sessionId: string): string {
  return `${accountId}/${sessionId}`
}

function isBelow(listed: ListKey, below: PageBound | undefined): boolean {
  return below === undefined || newestFirst(below, listed) < 0
}

function newestFirst(a: ListKey, b: ListKey): number {
  return b.created - a.created || (a.deliveryId < b.deliveryId ? -1 : Number(a.deliveryId > b.deliveryId))
}
