/** The limit that bounds the calls of one address: openings a minute, or its share of bytes for sessions. */
type BoundBy = 'nothing' | 'inits' | 'share'

/** The most that one call leaves. */
interface LeftBehind {
  /** Of keys and values, for the largest request that the route accepts. */
  readonly bytes: number
  readonly seconds: number
  readonly boundBy: BoundBy
}

/** The most bytes that one address, or one /64 of IPv6, may leave in the store at the default limits. */
export const mostLeftBehind = { byRoute: 16_000_000, byAll: 64_000_000 } as const

const minute = 60
const week = 7 * 24 * 3600

/**
 * The traces that a call without a credential may leave in the store. [Note: Every route declares its traces] Each route names one of these kinds;
 * a route that names none must leave nothing, and a test calls every route to check. A valid code, of an invitation or a kiosk, counts as a
 * credential here. Usage counts (`session-count`) are not traces of a caller: all visits of an hour share them.
 */
export const leftBehind = {
  nothing: { bytes: 0, seconds: 0, boundBy: 'nothing' },
  /** A challenge that was answered and cannot be answered again. */
  usedChallenge: { bytes: 1_000, seconds: 10 * minute, boundBy: 'inits' },
  /** The times at which an address sent wrong codes. */
  wrongCode: { bytes: 1_000, seconds: 60 * minute, boundBy: 'inits' },
  /** A session, its pictures' fingerprints and its events. */
  session: { bytes: 400_000, seconds: week, boundBy: 'share' },
  /** The request of a site, until the person returns to it. */
  signIn: { bytes: 24_000, seconds: 20 * minute, boundBy: 'inits' },
  /** The same, pushed by the site before the person comes. */
  pushedRequest: { bytes: 24_000, seconds: 21 * minute, boundBy: 'inits' },
  /** The token for the code of one sign-in. */
  token: { bytes: 12_000, seconds: 15 * minute, boundBy: 'inits' },
} as const satisfies Record<string, LeftBehind>

export type LeftBehindKind = keyof typeof leftBehind

/** The most bytes that one address leaves by calls of one kind. */
export function mostLeftBy(leaves: LeftBehindKind, openingsAMinute: number): number {
  const { bytes, seconds, boundBy } = leftBehind[leaves]
  if (boundBy === 'nothing') return 0
  if (boundBy === 'share') return shareOfAddress(openingsAMinute)
  // Minutes of the limit begin at any second, so one more of them overlaps the time.
  return bytes * openingsAMinute * (Math.ceil(seconds / minute) + 1)
}

/** A minute; the default of `RATE_LIMIT_INITS`. */
const usualOpenings = 30

/** The bytes that sessions of one address may leave. [Note: Ours] The share grows with the openings that the operator allows. */
export function shareOfAddress(openingsAMinute: number): number {
  return (openingsAMinute * mostLeftBehind.byRoute) / usualOpenings
}
