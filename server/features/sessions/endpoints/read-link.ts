import type { AnonymousCaller } from '#server/features/callers/callers.ts'
import type { CheckLink } from '#server/features/sessions/opening/link-check.ts'
import type { StartSession } from '#server/features/sessions/opening/start.ts'
import type { readLink } from '#shared/contract/sessions/session-link.ts'
import type { Handler } from '#shared/endpoint.ts'

export type ReadLink = Handler<typeof readLink, AnonymousCaller>

interface Dependencies {
  readonly checkLink: CheckLink
  readonly startSession: Pick<StartSession, 'themeOf' | 'plan'>
}

/** [Note: Loading is no act] Programs open links before people do, so reading a link does not use it up. */
export function createReadLink({ checkLink, startSession }: Dependencies): ReadLink {
  return async (call) =>
    checkLink(call, async ({ account, isExpired, isUsed, beginning }) => {
      const theme = startSession.themeOf(account)
      if (isExpired) return { state: 'Expired', theme, capturePlan: null }
      if (isUsed) return { state: 'NonceAlreadyUsed', theme, capturePlan: null }
      return { state: 'Valid', theme, capturePlan: await startSession.plan(await beginning()) }
    })
}
