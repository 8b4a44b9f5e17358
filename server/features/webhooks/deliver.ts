import type { Clock } from '#server/platform/store/store.ts'
import type { Read } from '#server/platform/store/tables.ts'
import type { Attempt, Delivery, DeliveryStore } from './delivery-store.ts'
import type { EndpointStore } from './endpoint-store.ts'
import { isTaken, type SendEvent } from './event.ts'
import { isOpen, isUsedUp, takenUpAt } from './schedule.ts'

export interface DeliverServices {
  deliveries: DeliveryStore
  endpoints: Pick<EndpointStore, 'find' | 'noteOutcome'>
  sendEvent: SendEvent
  /** Told of each delivery that is given up; absent where nobody counts. */
  onLost?: () => void
  now: Clock
}

/**
 * One attempt, from the record that it was decided on; answers the record that it leaves where there may be another.
 * Whoever erased the delivery meanwhile, or took it up, has the last word.
 */
export type AttemptOnce = (
  read: Read<Delivery>,
  waits: readonly number[],
) => Promise<Read<Delivery> | undefined>

export function createAttempt(services: DeliverServices): AttemptOnce {
  const { deliveries, endpoints, sendEvent, onLost, now } = services

  /**
   * [Note: Counted before it is sent] A crash after this may lose an attempt but can never add one. Of several
   * processes that have read the same record one may count, and then sends; the others get nothing and leave.
   */
  function claim(read: Read<Delivery>, address: string, waits: readonly number[]) {
    const attempt = { time: new Date(now()).toISOString(), status: null, error: null }
    const before = interrupted(read.value)
    const claimed = { ...before, address, attempts: [...before.attempts, attempt] }
    return deliveries.replace(read, claimed, noted(claimed, waits))
  }

  /** Where it goes now; undefined for an endpoint that is gone, or switched off. */
  async function addressOf({ accountId, endpointId, address }: Delivery): Promise<string | undefined> {
    if (endpointId === null) return address
    const endpoint = await endpoints.find(accountId, endpointId)
    return endpoint?.switchedOff === null ? endpoint.url : undefined
  }

  return async (read, waits) => {
    const address = await addressOf(read.value)
    if (address === undefined || isUsedUp(read.value, waits)) {
      const given = await deliveries.replace(read, { ...interrupted(read.value), state: 'failed' })
      if (given !== undefined && !read.value.isTest) onLost?.()
      return undefined
    }
    const claimed = await claim(read, address, waits)
    if (claimed === undefined) return undefined
    const outcome = await sendEvent(claimed.value)
    const delivered = settled(withLast(claimed.value, outcome), waits)
    const done = await deliveries.replace(claimed, delivered, noted(delivered, waits))
    const { accountId, endpointId, isTest } = delivered
    if (isTest) return undefined
    if (done?.value.state === 'failed') onLost?.()
    if (endpointId !== null) await endpoints.noteOutcome(accountId, endpointId, isTaken(outcome))
    return done?.value.state === 'pending' ? done : undefined
  }
}

/** An endpoint waits for hours, and is looked at when it is due; the address of a verification is taken up by whoever starts. */
function noted(delivery: Delivery, waits: readonly number[]): number | undefined {
  return delivery.endpointId === null ? undefined : takenUpAt(delivery, waits)
}

function withLast(delivery: Delivery, attempt: Partial<Attempt>): Delivery {
  const { attempts } = delivery
  return { ...delivery, attempts: [...attempts.slice(0, -1), { ...attempts.at(-1)!, ...attempt }] }
}

/** The delivery with its last attempt noted as broken off, where it was sent and nothing was heard of it. */
function interrupted(delivery: Delivery): Delivery {
  const last = delivery.attempts.at(-1)
  return last !== undefined && isOpen(last) ? withLast(delivery, { error: 'interrupted' }) : delivery
}

/** The last failure is final. */
function settled(delivery: Delivery, waits: readonly number[]): Delivery {
  const attempt = delivery.attempts.at(-1)
  if (attempt !== undefined && isTaken(attempt)) return { ...delivery, state: 'delivered' }
  return isUsedUp(delivery, waits) ? { ...delivery, state: 'failed' } : delivery
}
