import type { Accounts } from '#server/features/accounts/accounts.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import type { SessionRecord } from './session-record.ts'

const retentionInSeconds = 7 * 24 * 3600

/** The sessions for each external ID. Persons are stored as keyed digests. */
export interface PersonSessions {
  findSessionIds(accountId: string, externalId: string): Promise<string[]>
  forget(accountId: string, externalId: string, sessionIds: readonly string[]): Promise<void>
  /** For the commit that opens a session: lists it under its person, if it names one. */
  listing(opened: SessionRecord): Promise<Write[]>
}

export function createPersonSessions(
  store: Store,
  accounts: Pick<Accounts, 'find' | 'personDigest'>,
): PersonSessions {
  const sessionIds = createTable<string>(store, 'person-session')

  async function findOwner(accountId: string, externalId: string): Promise<string | undefined> {
    const account = await accounts.find(accountId)
    return account && `${accountId}/${accounts.personDigest(account, externalId)}`
  }

  return {
    async findSessionIds(accountId, externalId) {
      const owner = await findOwner(accountId, externalId)
      return owner === undefined ? [] : allOf(sessionIds.list(owner))
    },
    async forget(accountId, externalId, ids) {
      const owner = await findOwner(accountId, externalId)
      if (owner === undefined) return
      await store.commit(
        ids.map((id) => sessionIds.write(owner, id, undefined)),
        [],
      )
    },
    async listing({ accountId, sessionId, inputs: { externalId } }) {
      const owner = externalId === null ? undefined : await findOwner(accountId, externalId)
      return owner === undefined ? [] : [sessionIds.write(owner, sessionId, sessionId, retentionInSeconds)]
    },
  }
}
