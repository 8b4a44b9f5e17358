import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import { environmentOf, type HandlersOf } from '#server/features/callers/callers.ts'
import type { SecondOpinions } from '#server/features/sessions/reviewing/second-opinions.ts'
import type { SessionsAsListed } from '../get-sessions.ts'

export type SecondOpinionHandlers = HandlersOf<'configuration', 'getSecondOpinions' | 'giveSecondOpinion'>

/** [Note: The first decision does not show] A reviewer who knows it tends to agree with it. */
export function createSecondOpinionHandlers(
  secondOpinions: Pick<SecondOpinions, 'waiting' | 'give'>,
  accounts: Pick<Accounts, 'find'>,
  asListed: SessionsAsListed,
): SecondOpinionHandlers {
  return {
    async getSecondOpinions({ caller: { accountId, account, keyId, operatorName } }) {
      const environment = environmentOf(account ?? (await existingAccount(accounts, accountId)))
      const rows = await secondOpinions.waiting(accountId, operatorName ?? keyId)
      const blind = rows.map((row) => ({ ...row, review: null }))
      return { sessions: await asListed(accountId, blind, environment) }
    },
    async giveSecondOpinion({ body, caller: { accountId, keyId, operatorName } }) {
      const { verificationSessionId: sessionId, decision } = body
      const { givenAt } = await secondOpinions.give(
        { accountId, sessionId },
        { decision, by: operatorName ?? keyId },
      )
      return { givenAt }
    },
  }
}
