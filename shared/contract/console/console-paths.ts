import type { Environment } from '../environment.ts'

/** Under it the console's calls stand, and its cookie counts. The public endpoints stand here too, with their whole path behind it. */
export const consoleBasePath = '/console/api'

/** The header that carries the anti-forgery token, which sign-in tells once. */
export const antiForgeryHeader = 'X-Anti-Forgery'

/** Any value of this header says that no person asked for the call: it keeps nobody signed in. */
export const backgroundHeader = 'X-Background'

/**
 * The header by which a page says what it shows: person, live account and environment. All tabs of a browser share one sign-in; what another
 * one has switched meanwhile is not changed by this one.
 */
export const showingHeader = 'X-Showing'

/** What stands in it. */
export function showingOf(me: {
  readonly operatorId: string
  readonly accountId: string
  readonly environment: Environment
}): string {
  return [me.operatorId, me.accountId, me.environment].join('/')
}

/** How long who is signed in stays so. */
export const signedInLimits = { mostSeconds: 12 * 3600, idleSeconds: 30 * 60, freshSeconds: 5 * 60 } as const

/** How long an invitation counts: the one of the first start and those of the command line, and those that people make. */
export const invitationLimits = { printedSeconds: 15 * 60, madeSeconds: 3 * 24 * 3600 } as const
