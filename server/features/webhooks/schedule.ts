import type { Attempt, Delivery } from './delivery-store.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** An endpoint of an account is tried again after each of these, and then the event is given up. */
export const endpointWaitsInMilliseconds: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
]

/** Longer than an attempt can take, and than clocks may differ: who was silent for so long has died. */
const silentInMilliseconds = 9000

/** Whether there may be no further attempt. `waits`: after each failed one, in milliseconds. */
export function isUsedUp({ attempts }: Delivery, waits: readonly number[]): boolean {
  return attempts.length > waits.length
}

/** When the next attempt is due, milliseconds since 1970: at once after one of which nothing was heard. */
export function dueAt({ attempts, created }: Delivery, waits: readonly number[]): number {
  const last = attempts.at(-1)
  if (last === undefined) return Date.parse(created)
  return Date.parse(last.time) + (isOpen(last) ? 0 : (waits[attempts.length - 1] ?? 0))
}

/** When another process than the one that is at it may go on with it. */
export function takenUpAt(delivery: Delivery, waits: readonly number[]): number {
  return dueAt(delivery, waits) + silentInMilliseconds
}

/** Whether it was sent and nothing was heard of it yet. */
export function isOpen({ status, error }: Attempt): boolean {
  return status === null && error === null
}
