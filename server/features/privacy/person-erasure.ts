import type { Aliases } from '#server/features/audit/audit.ts'
import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { KeptAnswers } from '#server/features/idempotency/idempotency.ts'
import type { Openid } from '#server/features/openid/openid.ts'
import type { PersonVisits } from '#server/features/sessions/sessions.ts'
import type { deletePerson } from '#shared/contract/account/person.ts'
import type { Handler } from '#shared/endpoint.ts'
import { identityForms } from '#shared/identity/identity-text.ts'

export type DeletePerson = Handler<typeof deletePerson, AccountCaller>

/** Every place that may have data about a person. */
export interface ErasurePlaces {
  readonly personVisits: Pick<PersonVisits, 'sessionIds' | 'erase' | 'forget'>
  readonly aliases: Pick<Aliases, 'forget'>
  readonly keptAnswers: Pick<KeptAnswers, 'forget'>
  readonly signIns: Pick<Openid['signIns'], 'erase'>
  /** Removes an external ID's faces from every collection, and returns how many. */
  readonly removeFaces: (accountId: string, externalId: string) => Promise<number>
}

/**
 * Deletes all data about a person. [Note: Sessions go before faces] Otherwise, a session in progress could enrol the person
 * again. Repeating this after an interruption deletes the rest, because the list of sessions is deleted last.
 */
export function createDeletePerson(services: ErasurePlaces): DeletePerson {
  const { personVisits, aliases, keptAnswers, signIns, removeFaces } = services

  async function erase(accountId: string, externalId: string) {
    const sessionIds = await personVisits.sessionIds(accountId, externalId)
    const deliveriesDeleted = await personVisits.erase(accountId, externalId, sessionIds)
    for (const sessionId of sessionIds) await aliases.forget(accountId, 'session', sessionId)
    const facesDeleted = await removeFaces(accountId, externalId)
    await signIns.erase(accountId, externalId, sessionIds)
    await keptAnswers.forget(accountId, externalId, sessionIds)
    await aliases.forget(accountId, 'person', externalId)
    await personVisits.forget(accountId, externalId, sessionIds)
    return { facesDeleted, sessionsDeleted: sessionIds.length, deliveriesDeleted }
  }

  return async ({ query: { externalId }, caller: { accountId } }) => {
    const total = { facesDeleted: 0, sessionsDeleted: 0, deliveriesDeleted: 0 }
    for (const form of identityForms(externalId)) {
      const gone = await erase(accountId, form)
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += gone[name]
    }
    return total
  }
}
