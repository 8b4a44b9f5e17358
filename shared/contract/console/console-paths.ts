import type { Environment } from '../environment.ts'

/** The base path of the console's calls, and the scope of its cookie. The public endpoints are also available below it, with their full paths. */
export const consoleBasePath = '/console/api'

/** The header for the anti-forgery token, which is returned once at sign-in. */
export const antiForgeryHeader = 'X-Anti-Forgery'

/** A header, with any value, that marks calls the user did not trigger. They do not extend the sign-in. */
export const backgroundHeader = 'X-Background'

/**
 * The header that names what a page is showing: the operator, live account and environment. A browser's tabs all share the same sign-in, so
 * after a switch in one tab, the server rejects changes from tabs that still show the previous account.
 */
export const showingHeader = 'X-Showing'

/** The value of that header. */
export function showingOf(me: {
  readonly operatorId: string
  readonly accountId: string
  readonly environment: Environment
}): string {
  return [me.operatorId, me.accountId, me.environment].join('/')
}

/** How long a sign-in lasts. */
export const signedInLimits = { mostSeconds: 12 * 3600, idleSeconds: 30 * 60, freshSeconds: 5 * 60 } as const

/** How long invitations last: those printed on first start and by the command line, and those that operators create. */
export const invitationLimits = { printedSeconds: 15 * 60, madeSeconds: 3 * 24 * 3600 } as const
