/** What keeps the calls of one address within bounds: openings a minute, or its share of what sessions may leave. */
type BoundBy = 'nothing' | 'inits' | 'share'

/** The most that one call leaves. */
interface LeftBehind {
  /** In the store that needs most for it, by the largest request that is taken. */
  readonly bytes: number
  /** For how long. */
  readonly seconds: number
  readonly boundBy: BoundBy
}

/**
 * The most that one address, or one /64 of IPv6, may leave in the store at the default limits: by one route, and by all of them.
 */
export const mostLeftBehind = { byRoute: 16_000_000, byAll: 64_000_000 } as const

const minute = 60
const week = 7 * 24 * 3600

/**
 * What a call without a credential may leave in the store. [Note: Nobody fills the store] Every route names one of these, and one that names none
 * leaves nothing: a test calls them all and looks. Counted is what strangers can do; whoever has the code of an invitation, of a kiosk
 * or of a person who passed acts for somebody. What an hour is counted by (`session-count`) is there whoever visits, once for each kind of visit.
 */
export const leftBehind = {
  nothing: { bytes: 0, seconds: 0, boundBy: 'nothing' },
  /** That a challenge was answered, so that it counts once. */
  usedChallenge: { bytes: 1_000, seconds: 10 * minute, boundBy: 'inits' },
  /** When an address sent wrong codes. */
  wrongCode: { bytes: 1_000, seconds: 60 * minute, boundBy: 'inits' },
  /** A session, with what may follow from it. */
  session: { bytes: 400_000, seconds: week, boundBy: 'share' },
  /** A request of a site, until the person has come back. */
  signIn: { bytes: 24_000, seconds: 20 * minute, boundBy: 'inits' },
  /** The same, sent ahead. */
  pushedRequest: { bytes: 24_000, seconds: 21 * minute, boundBy: 'inits' },
  /** A token, for the code of a sign-in: each is redeemed once. */
  token: { bytes: 12_000, seconds: 15 * minute, boundBy: 'inits' },
} as const satisfies Record<string, LeftBehind>

export type Leaves = keyof typeof leftBehind

/** The most that one address leaves by calls of one kind, at so many openings a minute. */
export function mostLeftBy(leaves: Leaves, openingsAMinute: number): number {
  const { bytes, seconds, boundBy } = leftBehind[leaves]
  if (boundBy === 'nothing') return 0
  if (boundBy === 'share') return shareOfAddress(openingsAMinute)
  // A minute of the limit may begin at any time: one more of them reaches into the time.
  return bytes * openingsAMinute * (Math.ceil(seconds / minute) + 1)
}

/** A minute; the default of `RATE_LIMIT_INITS`. */
const usualOpenings = 30

/**
 * How many bytes the sessions of one address may leave. [Note: Ours] Whoever lets an address open more lets it leave more.
 */
export function shareOfAddress(openingsAMinute: number): number {
  return (openingsAMinute * mostLeftBehind.byRoute) / usualOpenings
}
