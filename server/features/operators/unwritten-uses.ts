import type { Clock } from '#server/platform/store/store.ts'
import { signedInLimits } from '#shared/contract/console/console-paths.ts'

/** Keeps track of sign-in uses that could not be written to the store. */
export interface UnwrittenUses {
  /** Records that the sign-in with this digest was used now. */
  note(digest: string): void
  forget(digest: string): void
  /** Milliseconds since 1970; 0 if none is remembered. */
  lastOf(digest: string): number
}

/**
 * [Note: A full disk signs nobody out who works] A use that cannot be written still counts in this process. It extends a
 * sign-in no further than the store would: an ended sign-in is no longer in the store, its twelve hours count from its
 * beginning, and thirty minutes without a call end it either way. Older entries are dropped, so there is at most one per
 * sign-in in use.
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
