import type { Condition } from './condition.ts'

const minute = 60_000
const heldForMilliseconds = 5 * minute
const goneForMilliseconds = 30 * minute
const hour = 60 * minute

/** The events that an account's endpoints received about a condition. Times are in milliseconds since 1970. */
export interface Progress extends Pick<Condition, 'kind' | 'subject' | 'since'> {
  /** Since when it has been seen without a break; null while it is gone. */
  readonly heldFrom: number | null
  /** Since when it is gone; null while it holds. */
  readonly goneFrom: number | null
  /** True between `begun` and `ended`. */
  readonly isBegun: boolean
  /** When `begun` was last sent; null before the first time. */
  readonly begunAt: number | null
}

export interface Advance {
  /** Undefined if nothing needs to be remembered. */
  readonly next: Progress | undefined
  readonly sends: 'begun' | 'ended' | null
}

/**
 * Advances what is known about a condition. Pure. [Note: A flicker is not news] A condition is reported after it has held for
 * 5 minutes, its end after it has been gone for 30, and it begins at most once an hour.
 */
export function advance(before: Progress | undefined, found: Condition | undefined, now: number): Advance {
  if (found === undefined) return before === undefined ? nothing : whileGone(before, now)
  const { kind, subject } = found
  const known = before ?? { kind, subject, since: found.since, isBegun: false, begunAt: null }
  const heldFrom = before?.heldFrom ?? now
  // Some conditions do not know their beginning, and say that it is now.
  const since = known.isBegun ? known.since : Math.min(found.since, heldFrom)
  const held: Progress = { ...known, since, heldFrom, goneFrom: null }
  const isDue = now - heldFrom >= heldForMilliseconds && now - (known.begunAt ?? 0) >= hour
  if (known.isBegun || !isDue) return { next: held, sends: null }
  return { next: { ...held, isBegun: true, begunAt: now }, sends: 'begun' }
}

const nothing: Advance = { next: undefined, sends: null }

function whileGone(before: Progress, now: number): Advance {
  const goneFrom = before.goneFrom ?? now
  const gone: Progress = { ...before, heldFrom: null, goneFrom }
  const isRecent = now - (before.begunAt ?? 0) < hour
  if (!before.isBegun) return isRecent ? { next: gone, sends: null } : nothing
  if (now - goneFrom < goneForMilliseconds) return { next: gone, sends: null }
  return { next: isRecent ? { ...gone, isBegun: false } : undefined, sends: 'ended' }
}
