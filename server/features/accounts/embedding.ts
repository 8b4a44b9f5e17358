import type { Accounts } from './account-records.ts'

/** Whose pages are framed: a verification's by its link, or a session's by its own address. */
export interface Framed {
  readonly verificationId?: string
  readonly sessionId?: string
}

/** Who may frame a page: nobody at all, or the origins of its account besides those of the deployment. */
export type Framing =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'origins'; readonly origins: readonly string[] }

/** Answers who may frame a page; what is not known has no origins of its own. */
export type FramingOf = (framed: Framed) => Promise<Framing>

interface Dependencies {
  readonly accounts: Pick<Accounts, 'find'>
  readonly ownerOfVerification: (verificationId: string) => Promise<string | undefined>
  readonly findOpenSession: (
    sessionId: string,
  ) => Promise<{ readonly accountId: string; readonly ownWindow?: true } | undefined>
}

export function createFramingOf(services: Dependencies): FramingOf {
  const { accounts, ownerOfVerification, findOpenSession } = services

  async function originsOf(accountId: string | undefined): Promise<Framing> {
    const account = accountId === undefined ? undefined : await accounts.find(accountId)
    return { kind: 'origins', origins: account?.embedOrigins ?? [] }
  }

  return async ({ verificationId, sessionId = '' }) => {
    if (verificationId !== undefined) return originsOf(await ownerOfVerification(verificationId))
    const session = await findOpenSession(sessionId)
    return session?.ownWindow ? { kind: 'nobody' } : originsOf(session?.accountId)
  }
}
