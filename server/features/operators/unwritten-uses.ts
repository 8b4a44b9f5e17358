import type { Clock } from '#server/platform/store/store.ts'
import { signedInLimits } from '#shared/contract/console/console-paths.ts'

/** When sign-ins were used last, where that could not be written. */
export interface UnwrittenUses {
  /** A use, now, of the sign-in of this digest. */
  note(digest: string): void
  forget(digest: string): void
  /** Milliseconds since 1970; 0 where nothing is remembered. */
  lastOf(digest: string): number
}

/**
 * [Note: A full disk signs nobody out who works] A use that cannot be written counts in this process all the same. It says no more than the store would: a sign-in that has been ended
 * is not in the store any more, its twelve hours go by when it began, and thirty minutes without a call end it by this memory as by the store. What is older than that is let go, so
 * there is never more than one number for each sign-in that is in use.
 */
export function createUnwrittenUses(now: Clock): UnwrittenUses {
  const uses = new Map<string, number>()
  return {
    note(digest) {
      for (const [other, at] of uses) if (now() - at >= signedInLimits.idleSeconds * 1000) uses.delete(other)
      uses.set(digest, now())
    },
    forget: (digest) => void uses.delete(digest),
    lastOf: (digest) => uses.get(digest) ?? 0,
  }
}
