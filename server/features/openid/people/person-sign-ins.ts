import type { NamedEntities } from '#server/features/openid/named-entities.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Store } from '#server/platform/store/store.ts'
import type { KeptSignIns } from '#shared/contract/account/person-sign-ins.ts'
import { environments } from '#shared/contract/environment.ts'
import { createEntityStore } from '../adapter.ts'
import type { ClientStore } from '../clients/client-store.ts'
import type { VisitStore } from '../visit-store.ts'
import type { Subjects } from './subjects.ts'

/** A person's data from signing in at sites. */
export interface PersonSignIns {
  /** The data under one form of the external ID, and in these sessions. */
  read(accountId: string, externalId: string, sessionIds: readonly string[]): Promise<KeptSignIns>
  /** Ends all of a person's requests, codes and tokens, and removes the subjects that sites know. */
  erase(accountId: string, externalId: string, sessionIds: readonly string[]): Promise<void>
}

interface Dependencies {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly clients: Pick<ClientStore, 'list'>
  readonly subjects: Pick<Subjects, 'known' | 'forget'>
  readonly visitStore: Pick<VisitStore, 'ended' | 'erase' | 'forgetOpen'>
  readonly named: NamedEntities
}

export function createPersonSignIns(services: Dependencies): PersonSignIns {
  const { store, keyRing, clients, subjects, visitStore, named } = services
  const entitiesOf = Object.fromEntries(
    environments.map((environment) => [environment, createEntityStore(store, keyRing, environment, named)]),
  ) as Record<(typeof environments)[number], ReturnType<typeof createEntityStore>>

  async function readVisit(verificationSessionId: string) {
    const visit = await visitStore.ended(verificationSessionId)
    if (visit === undefined) return []
    const { clientId, sub: subject, claims } = visit
    return [{ verificationSessionId, clientId, subject, claims: { ...claims } }]
  }

  /** Requests from sites that contain the person's name. */
  async function eraseRequests(accountId: string, externalId: string): Promise<void> {
    const found = await named.of(accountId, externalId)
    for (const { environment, model, id } of found.named) {
      await entitiesOf[environment](model).erase(id)
      if (model === 'Interaction') await visitStore.forgetOpen(environment, id)
    }
    // This comes last, so that a repeat after an interruption finds the rest.
    if (found.writes.length > 0) await store.commit(found.writes, [])
  }

  return {
    async read(accountId, externalId, sessionIds) {
      // A public client does not compare faces, so it has no lasting name for anyone.
      const comparing = (await clients.list(accountId)).filter(({ isPublic }) => !isPublic)
      return {
        subjects: await subjects.known(accountId, externalId, comparing),
        signIns: (await Promise.all(sessionIds.map(readVisit))).flat(),
      }
    },
    async erase(accountId, externalId, sessionIds) {
      await visitStore.erase(sessionIds)
      // [Note: A grant is a session]
      for (const entities of Object.values(entitiesOf)) {
        for (const sessionId of sessionIds) {
          await entities('AuthorizationCode').revokeByGrantId(sessionId)
          await entities('Grant').erase(sessionId)
        }
      }
      await eraseRequests(accountId, externalId)
      await subjects.forget(accountId, externalId)
    },
  }
}
