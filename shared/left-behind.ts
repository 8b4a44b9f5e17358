/** The limit that applies to calls from one address: its openings per minute, or its share of the bytes for sessions. */
type BoundBy = 'nothing' | 'inits' | 'share'

/** Upper bounds for the traces that a single call leaves behind. */
interface LeftBehind {
  /** The total size of keys and values after the largest request that the route accepts. */
  readonly bytes: number
  readonly seconds: number
  readonly boundBy: BoundBy
}

/** The maximum number of bytes that one address (or one IPv6 /64) can leave in the store with the default limits. */
export const mostLeftBehind = { byRoute: 16_000_000, byAll: 64_000_000 } as const

const minute = 60
const week = 7 * 24 * 3600

/**
 * The traces that a call without a credential may leave in the store. [Note: Every route declares its traces] Each route names one of these
 * kinds. A route without one must leave nothing behind, and a test calls every route to check this. A valid code for an invitation or a
 * kiosk counts as a credential here. Usage counts (`session-count`) are not attributed to a caller, because all visits of an hour share them.
 */
export const leftBehind = {
  nothing: { bytes: 0, seconds: 0, boundBy: 'nothing' },
  /** Marks a challenge as answered, so that it cannot be used again. */
  usedChallenge: { bytes: 1_000, seconds: 10 * minute, boundBy: 'inits' },
  /** The times at which an address sent wrong codes. */
  wrongCode: { bytes: 1_000, seconds: 60 * minute, boundBy: 'inits' },
  /** A session with its events and its pictures' fingerprints. */
  session: { bytes: 400_000, seconds: week, boundBy: 'share' },
  /** A site's request, kept until the person returns to the site. */
  signIn: { bytes: 24_000, seconds: 20 * minute, boundBy: 'inits' },
  /** A request that the site pushed before the person arrived. */
  pushedRequest: { bytes: 24_000, seconds: 21 * minute, boundBy: 'inits' },
  /** The token behind a sign-in's code. */
  token: { bytes: 12_000, seconds: 15 * minute, boundBy: 'inits' },
} as const satisfies Record<string, LeftBehind>

export type LeftBehindKind = keyof typeof leftBehind

/** The maximum number of bytes that one address leaves behind with calls of one kind. */
export function mostLeftBy(leaves: LeftBehindKind, openingsAMinute: number): number {
  const { bytes, seconds, boundBy } = leftBehind[leaves]
  if (boundBy === 'nothing') return 0
  if (boundBy === 'share') return shareOfAddress(openingsAMinute)
  // The limit's windows are not aligned, so the period overlaps with one more of them.
  return bytes * openingsAMinute * (Math.ceil(seconds / minute) + 1)
}

/** Per minute. The default for `RATE_LIMIT_INITS`. */
const usualOpenings = 30

/** The maximum number of session bytes from one address. [Note: Ours] The share grows with the number of openings that the operator allows. */
export function shareOfAddress(openingsAMinute: number): number {
  return (openingsAMinute * mostLeftBehind.byRoute) / usualOpenings
}
