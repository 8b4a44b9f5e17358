import type { Attempt, Delivery } from './delivery-store.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The waits between attempts at an account's endpoint. After the last one, the event is abandoned. */
export const endpointWaitsInMilliseconds: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
]

/** Longer than an attempt can take, plus clock differences. A process that has been silent for this long has died. */
const silentInMilliseconds = 9000

/** True if no further attempt is allowed. `waits` are the delays after each failed attempt, in milliseconds. */
export function isUsedUp({ attempts }: Delivery, waits: readonly number[]): boolean {
  return attempts.length > waits.length
}

/** When the next attempt is due, in milliseconds since 1970; immediately after an unanswered attempt. */
export function dueAt({ attempts, created }: Delivery, waits: readonly number[]): number {
  const last = attempts.at(-1)
  if (last === undefined) return Date.parse(created)
  return Date.parse(last.time) + (isOpen(last) ? 0 : (waits[attempts.length - 1] ?? 0))
}

/** When a process other than the sender may take it over. */
export function takenUpAt(delivery: Delivery, waits: readonly number[]): number {
  return dueAt(delivery, waits) + silentInMilliseconds
}

/** True if it was sent and has not been answered yet. */
export function isOpen({ status, error }: Attempt): boolean {
  return status === null && error === null
}
