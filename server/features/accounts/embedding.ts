import type { Accounts } from './account-records.ts'

/** Whose pages are framed: a verification's by its link, or a session's by its own address. */
export interface Framed {
  readonly verificationId?: string
  readonly sessionId?: string
}

/** The origins that an account allows to frame its pages; none for what is not known. */
export type EmbedOriginsOf = (framed: Framed) => Promise<readonly string[]>

interface Dependencies {
  readonly accounts: Pick<Accounts, 'find'>
  readonly ownerOfVerification: (verificationId: string) => Promise<string | undefined>
  readonly ownerOfSession: (sessionId: string) => Promise<string | undefined>
}

export function createEmbedOriginsOf(services: Dependencies): EmbedOriginsOf {
  const { accounts, ownerOfVerification, ownerOfSession } = services
  return async ({ verificationId, sessionId }) => {
    const accountId =
      verificationId === undefined
        ? await ownerOfSession(sessionId ?? '')
        : await ownerOfVerification(verificationId)
    const account = accountId === undefined ? undefined : await accounts.find(accountId)
    return account?.embedOrigins ?? []
  }
}
