import type { Clock } from '#server/platform/store/store.ts'
import type { GuardedRecord } from '#server/platform/store/tables.ts'
import type { Attempt, Delivery, DeliveryStore } from './delivery-store.ts'
import type { EndpointHealths } from './endpoint-health.ts'
import type { EndpointStore } from './endpoint-store.ts'
import { isTaken, type SendEvent } from './event.ts'
import { isOpen, isUsedUp, takenUpAt } from './schedule.ts'

export interface DeliverServices {
  deliveries: DeliveryStore
  endpoints: Pick<EndpointStore, 'find' | 'noteOutcome'>
  health: Pick<EndpointHealths, 'note'>
  sendEvent: SendEvent
  /** Receives each abandoned delivery; absent if they are not counted. */
  onLost?: () => void
  now: Clock
}

/**
 * Makes one attempt, based on the record that was read, and returns the updated record if another attempt may follow. If a
 * process erased or took over the delivery in the meantime, that process takes precedence.
 */
export type AttemptOnce = (
  read: GuardedRecord<Delivery>,
  waits: readonly number[],
) => Promise<GuardedRecord<Delivery> | undefined>

export function createAttempt(services: DeliverServices): AttemptOnce {
  const { deliveries, endpoints, health, sendEvent, onLost, now } = services

  /**
   * [Note: Counted before it is sent] A crash after this point may lose an attempt but can never add one. If several processes
   * have read the same record, one counts the attempt and sends; the others get undefined and stop.
   */
  function claim(read: GuardedRecord<Delivery>, address: string, waits: readonly number[]) {
    const attempt = { time: new Date(now()).toISOString(), status: null, error: null }
    const before = interrupted(read.value)
    const claimed = { ...before, address, attempts: [...before.attempts, attempt] }
    return deliveries.replace(read, claimed, noted(claimed, waits))
  }

  /** The current address; undefined if the endpoint was deleted or is disabled. */
  async function currentAddress({ accountId, endpointId, address }: Delivery): Promise<string | undefined> {
    if (endpointId === null) return address
    const endpoint = await endpoints.find(accountId, endpointId)
    return endpoint?.switchedOff === null ? endpoint.url : undefined
  }

  return async (read, waits) => {
    const address = await currentAddress(read.value)
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
    if (endpointId !== null) {
      const last = delivered.attempts.at(-1)!
      await health.note(accountId, endpointId, last, isTaken(outcome))
      await endpoints.noteOutcome(accountId, endpointId, isTaken(outcome))
    }
    return done?.value.state === 'pending' ? done : undefined
  }
}

/**
 * An endpoint's delivery waits for hours and is picked up when it is due. A delivery to a verification's address is resumed
 * by any process that starts.
 */
function noted(delivery: Delivery, waits: readonly number[]): number | undefined {
  return delivery.endpointId === null ? undefined : takenUpAt(delivery, waits)
}

function withLast(delivery: Delivery, attempt: Partial<Attempt>): Delivery {
  const { attempts } = delivery
  return { ...delivery, attempts: [...attempts.slice(0, -1), { ...attempts.at(-1)!, ...attempt }] }
}

/** The delivery, with its last attempt marked as interrupted if it was sent but not answered. */
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
