import type { Accounts } from './account-records.ts'

/** The page to be framed: a verification's page by its link, or a session's page by its address. */
export interface FramedPage {
  readonly verificationId?: string
  readonly sessionId?: string
}

/** The sites that may frame a page: none, or its account's origins in addition to the deployment's. */
export type FramingSites =
  | { readonly kind: 'none' }
  | { readonly kind: 'origins'; readonly origins: readonly string[] }

/** Finds the sites that may frame a page. An unknown verification or session has no account, and therefore no origins. */
export type FramingOf = (framed: FramedPage) => Promise<FramingSites>

interface Dependencies {
  readonly accounts: Pick<Accounts, 'find'>
  readonly ownerOfVerification: (verificationId: string) => Promise<string | undefined>
  readonly findOpenSession: (
    sessionId: string,
  ) => Promise<{ readonly accountId: string; readonly ownWindow?: true } | undefined>
}

export function createFramingOf(services: Dependencies): FramingOf {
  const { accounts, ownerOfVerification, findOpenSession } = services

  async function findOrigins(accountId: string | undefined): Promise<FramingSites> {
    const account = accountId === undefined ? undefined : await accounts.find(accountId)
    return { kind: 'origins', origins: account?.embedOrigins ?? [] }
  }

  return async ({ verificationId, sessionId = '' }) => {
    if (verificationId !== undefined) return findOrigins(await ownerOfVerification(verificationId))
    const session = await findOpenSession(sessionId)
    return session?.ownWindow ? { kind: 'none' } : findOrigins(session?.accountId)
  }
}
