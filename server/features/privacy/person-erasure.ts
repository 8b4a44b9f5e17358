import type { Aliases } from '#server/features/audit/audit.ts'
import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { KeptAnswers } from '#server/features/idempotency/idempotency.ts'
import type { Openid } from '#server/features/openid/openid.ts'
import type { VisitStore } from '#server/features/sessions/earlier/visit-store.ts'
import type { PersonSessions } from '#server/features/sessions/listing/person-sessions.ts'
import type { Attempts } from '#server/features/sessions/opening/attempts.ts'
import type { Suspicions } from '#server/features/sessions/opening/suspicions.ts'
import type { PasskeyStore } from '#server/features/sessions/passkeys/passkey-store.ts'
import type { PictureMemory } from '#server/features/sessions/pictures/picture-memory.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { DeliveryStore } from '#server/features/webhooks/webhooks.ts'
import type { Store } from '#server/platform/store/store.ts'
import type { deletePerson } from '#shared/contract/account/person.ts'
import type { Handler } from '#shared/endpoint.ts'
import { identityForms } from '#shared/identity/identity-text.ts'

export type DeletePerson = Handler<typeof deletePerson, AccountCaller>

/** Everywhere that a person may be known. */
export interface Erasing {
  store: Store
  personSessions: PersonSessions
  sessionStore: SessionStore
  deliveryStore: DeliveryStore
  pictureMemory: PictureMemory
  attempts: Pick<Attempts, 'forget'>
  suspicions: Pick<Suspicions, 'forget'>
  passkeys: Pick<PasskeyStore, 'forget' | 'removeOffer'>
  visits: Pick<VisitStore, 'erase'>
  aliases: Aliases
  keptAnswers: Pick<KeptAnswers, 'forget'>
  openidPeople: Openid['people']
  /** Removes the faces of an external id from every collection; answers how many there were. */
  removeFaces: (accountId: string, externalId: string) => Promise<number>
}

/**
 * Deletes everything of a person. [Note: Sessions go before faces] so that none which is under way enrols the person
 * again; what is repeated after an interruption deletes the rest.
 */
export function createDeletePerson(services: Erasing): DeletePerson {
  const {
    store,
    personSessions: index,
    sessionStore: sessions,
    deliveryStore: deliveries,
    pictureMemory,
    attempts,
    suspicions,
    passkeys,
    visits,
    aliases,
    removeFaces,
  } = services

  /** Answers how many deliveries went with the session. */
  async function eraseSession(accountId: string, sessionId: string): Promise<number> {
    const sent = await deliveries.ofSession(accountId, sessionId)
    const writes = sent.flatMap((delivery) => deliveries.remove(delivery))
    const offer = passkeys.removeOffer(accountId, sessionId)
    const visit = visits.erase(accountId, sessionId)
    const signIn = services.openidPeople.eraseVisit(sessionId)
    await store.commit([...sessions.erase(accountId, sessionId), offer, visit, signIn, ...writes], [])
    await aliases.forget(accountId, 'session', sessionId)
    return sent.length
  }

  async function erase(accountId: string, externalId: string) {
    const sessionIds = await index.sessionsOf(accountId, externalId)
    let deliveriesDeleted = 0
    for (const sessionId of sessionIds) deliveriesDeleted += await eraseSession(accountId, sessionId)
    await pictureMemory.forget(sessionIds)
    await passkeys.forget({ accountId, externalId })
    const facesDeleted = await removeFaces(accountId, externalId)
    await attempts.forget(accountId, externalId)
    await suspicions.forget(accountId, externalId)
    await index.forget(accountId, externalId, sessionIds)
    await services.openidPeople.forget(accountId, externalId)
    await services.keptAnswers.forget(accountId, externalId, sessionIds)
    await aliases.forget(accountId, 'person', externalId)
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
