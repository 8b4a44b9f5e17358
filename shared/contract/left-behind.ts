/** The limit on calls from one address: openings per minute, or its share of bytes for sessions. */
type BoundBy = 'nothing' | 'inits' | 'share'

/** Upper bounds of the traces of one call. */
interface LeftBehind {
  /** Total of keys and values for the largest request that the route accepts. */
  readonly bytes: number
  readonly seconds: number
  readonly boundBy: BoundBy
}

/** Maximum bytes that one address, or one /64 of IPv6, can leave in the store at the default limits. */
export const mostLeftBehind = { byRoute: 16_000_000, byAll: 64_000_000 } as const

const minute = 60
const week = 7 * 24 * 3600

/**
 * Traces that a call without a credential may leave in the store. [Note: Every route declares its traces] Each route names one of these kinds;
 * a route without one must leave nothing, and a test calls every route to check. A valid code of an invitation or a kiosk counts as a
 * credential here. Usage counts (`session-count`) are not attributed to a caller, because all visits of an hour share them.
 */
export const leftBehind = {
  nothing: { bytes: 0, seconds: 0, boundBy: 'nothing' },
  /** Marks a challenge as answered, so that it cannot be answered again. */
  usedChallenge: { bytes: 1_000, seconds: 10 * minute, boundBy: 'inits' },
  /** Times at which an address sent wrong codes. */
  wrongCode: { bytes: 1_000, seconds: 60 * minute, boundBy: 'inits' },
  /** A session with its events and the fingerprints of its pictures. */
  session: { bytes: 400_000, seconds: week, boundBy: 'share' },
  /** The request of a site, until the person returns to it. */
  signIn: { bytes: 24_000, seconds: 20 * minute, boundBy: 'inits' },
  /** A request that the site pushed before the person arrived. */
  pushedRequest: { bytes: 24_000, seconds: 21 * minute, boundBy: 'inits' },
  /** The token for the code of one sign-in. */
  token: { bytes: 12_000, seconds: 15 * minute, boundBy: 'inits' },
} as const satisfies Record<string, LeftBehind>

export type LeftBehindKind = keyof typeof leftBehind

/** Maximum bytes that one address leaves by calls of one kind. */
export function mostLeftBy(leaves: LeftBehindKind, openingsAMinute: number): number {
  const { bytes, seconds, boundBy } = leftBehind[leaves]
  if (boundBy === 'nothing') return 0
  if (boundBy === 'share') return shareOfAddress(openingsAMinute)
  // Windows of the limit are not aligned, so one more of them overlaps the period.
  return bytes * openingsAMinute * (Math.ceil(seconds / minute) + 1)
}

/** Per minute; the default of `RATE_LIMIT_INITS`. */
const usualOpenings = 30

/** Maximum bytes of sessions from one address. [Note: Ours] The share grows with the openings that the operator allows. */
export function shareOfAddress(openingsAMinute: number): number {
  return (openingsAMinute * mostLeftBehind.byRoute) / usualOpenings
}
