import { createHmac, randomBytes } from 'node:crypto'
import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import type { Store } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import type { OpenidClient } from '../clients/client-store.ts'
import type { CommitParts } from '../visit-store.ts'

/** A subject, with the writes that make it permanent and their guards. */
export interface NewSubject extends CommitParts {
  readonly sub: string
}

/**
 * The names by which sites know people. [Note: A subject ends with the person] A known person's subject is an HMAC of the
 * sector and external ID under the person's random salt. Erasing the person removes the salt. After that, a subject cannot
 * be traced to a person, even with all of the deployment's keys, and the same external ID gets a new one.
 */
export interface Subjects {
  /**
   * The same in each visit and different in each sector, once its writes are committed along with proof that the person has
   * not been erased.
   */
  of(accountId: string, sector: string, externalId: string): Promise<NewSubject>
  /** A new random subject, for a visit without a known person. */
  fresh(): string
  /** The person's subjects at each of these clients, existing or not; empty if no site knows the person. */
  known(
    accountId: string,
    externalId: string,
    clients: readonly Pick<OpenidClient, 'clientId' | 'sector'>[],
  ): Promise<{ clientId: string; subject: string }[]>
  forget(accountId: string, externalId: string): Promise<void>
}

export function createSubjects(store: Store, accounts: Pick<Accounts, 'find' | 'personDigest'>): Subjects {
  const salts = createTable<string>(store, 'openid-subject')

  /** The ID under which a salt is stored. It does not identify a person. */
  async function derivePlace(accountId: string, externalId: string): Promise<string> {
    return accounts.personDigest(await existingAccount(accounts, accountId), externalId)
  }

  return {
    async of(accountId, sector, externalId) {
      const place = await derivePlace(accountId, externalId)
      const known = await salts.read(accountId, place)
      if (known !== undefined)
        return { sub: subjectOf(known.value, sector, externalId), writes: [], guards: [known.guard] }
      const made = randomBytes(32).toString('base64url')
      const sub = subjectOf(made, sector, externalId)
      const guards = [salts.absent(accountId, place)]
      return { sub, writes: [salts.write(accountId, place, made)], guards }
    },
    fresh: () => randomBytes(32).toString('base64url'),
    async known(accountId, externalId, clients) {
      const salt = await salts.get(accountId, await derivePlace(accountId, externalId))
      if (salt === undefined) return []
      return clients.map(({ clientId, sector }) => ({
        clientId,
        subject: subjectOf(salt, sector, externalId),
      }))
    },
    forget: async (accountId, externalId) =>
      salts.remove(accountId, await derivePlace(accountId, externalId)),
  }
}

function subjectOf(salt: string, sector: string, externalId: string): string {
  const key = Buffer.from(salt, 'base64url')
  return createHmac('sha256', key).update(`${sector}|${externalId}`).digest('base64url')
}
