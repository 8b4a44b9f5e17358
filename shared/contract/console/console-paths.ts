import type { Environment } from '../environment.ts'

/** Base path of the console's calls and scope of its cookie. The public endpoints are available below it with their full path. */
export const consoleBasePath = '/console/api'

/** Header of the anti-forgery token, which is returned once at sign-in. */
export const antiForgeryHeader = 'X-Anti-Forgery'

/** Header of calls that no person asked for, with any value. They do not extend the sign-in. */
export const backgroundHeader = 'X-Background'

/**
 * Header that names what a page shows: operator, live account and environment. All tabs of a browser share one sign-in, so after
 * a switch in one tab the server rejects changes from tabs that still show the former account.
 */
export const showingHeader = 'X-Showing'

/** Value of that header. */
export function showingOf(me: {
  readonly operatorId: string
  readonly accountId: string
  readonly environment: Environment
}): string {
  return [me.operatorId, me.accountId, me.environment].join('/')
}

/** Lifetimes of a sign-in. */
export const signedInLimits = { mostSeconds: 12 * 3600, idleSeconds: 30 * 60, freshSeconds: 5 * 60 } as const

/** Lifetimes of invitations: those of the first start and the command line, and those that operators create. */
export const invitationLimits = { printedSeconds: 15 * 60, madeSeconds: 3 * 24 * 3600 } as const
