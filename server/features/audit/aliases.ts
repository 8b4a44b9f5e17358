import { createHmac, randomBytes } from 'node:crypto'
import type { Account, FindsAccounts } from '#server/features/callers/callers.ts'
import type { Store } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'

const sessionInSeconds = 7 * 24 * 3600

export type Subject = 'person' | 'session'

interface Accounts extends FindsAccounts {
  personDigest(account: Account, externalId: string): string
}

/**
 * [Note: Erasable names] The audit log identifies persons and sessions by hashes, each with its own salt. A session's salt is
 * erased after 7 days, and a person's salt along with the person. After that, nothing connects an entry with them, and the
 * chain of entries is still complete.
 */
export interface Aliases {
  of(accountId: string, subject: Subject, id: string): Promise<string>
  forget(accountId: string, subject: Subject, id: string): Promise<void>
}

export function createAliases(store: Store, accounts: Accounts): Aliases {
  const salts = createTable<string>(store, 'audit-salt')

  /** The ID under which a salt is stored. It does not identify a person. */
  async function derivePlace(accountId: string, subject: Subject, id: string): Promise<string> {
    if (subject === 'session') return `session/${id}`
    const account = await accounts.find(accountId)
    return `person/${account === undefined ? id : accounts.personDigest(account, id)}`
  }

  return {
    async of(accountId, subject, id) {
      const place = await derivePlace(accountId, subject, id)
      const fresh = randomBytes(16).toString('hex')
      const known = await salts.get(accountId, place)
      if (known !== undefined) return aliasOf(known, id)
      const lifetime = subject === 'session' ? sessionInSeconds : undefined
      const isFirst = await salts.insert(accountId, place, fresh, lifetime)
      return aliasOf(isFirst ? fresh : ((await salts.get(accountId, place)) ?? fresh), id)
    },
    forget: async (accountId, subject, id) =>
      salts.remove(accountId, await derivePlace(accountId, subject, id)),
  }
}

function aliasOf(salt: string, id: string): string {
  return createHmac('sha256', Buffer.from(salt, 'hex')).update(id).digest('base64url')
}
