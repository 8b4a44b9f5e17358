import { allOf } from '#server/platform/store/all-of.ts'
import { countOf } from '#server/platform/store/counts.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { type Transaction, transact } from '#server/platform/store/transaction.ts'
import { type AttentionLimits, usualAttentionLimits } from '#shared/contract/account/attention.ts'
import { Problem } from '#shared/problem.ts'
import type { Progress } from './progress.ts'

/** An abandoned record disappears by itself. Every sweep renews those that still matter. */
const keptInSeconds = 30 * 24 * 3600
const hourInMilliseconds = 3600 * 1000

/** Storage for what is known about conditions, and for the accounts' own limits. */
export interface AttentionStore {
  limitsOf(accountId: string): Promise<AttentionLimits>
  /** Changes some limits, and returns all of them. @throws {Problem} overloaded after repeated conflicts */
  changeLimits(accountId: string, changes: Partial<AttentionLimits>): Promise<AttentionLimits>
  /** When an admin last confirmed a verification as it is, in milliseconds since 1970; 0 if never. */
  confirmedAt(accountId: string, verificationId: string): Promise<number>
  confirm(accountId: string, verificationId: string, at: number): Promise<void>
  all(accountId: string): Promise<Progress[]>
  /** Reads a condition's progress and guards it. */
  read(transaction: Transaction, accountId: string, key: string): Promise<Progress | undefined>
  write(transaction: Transaction, accountId: string, key: string, progress: Progress | undefined): void
  /** How many events the account was sent in this hour. Guarded, because another process may be sending too. */
  sentInHour(transaction: Transaction, accountId: string, now: number): Promise<number>
  countSent(accountId: string, now: number): Write
}

export function createAttentionStore(store: Store): AttentionStore {
  const progress = createTable<Progress>(store, 'attention')
  const limits = createTable<Partial<AttentionLimits>>(store, 'attention-limits')
  const confirmed = createTable<number>(store, 'attention-confirmed')
  const countKey = (accountId: string, now: number) =>
    `attention-count/${accountId}/${Math.floor(now / hourInMilliseconds)}`

  return {
    limitsOf: async (accountId) => ({
      ...usualAttentionLimits,
      ...(await limits.get(deployment, accountId)),
    }),
    changeLimits: (accountId, changes) =>
      transact(
        store,
        async (transaction) => {
          const own = { ...(await transaction.read(limits, deployment, accountId)), ...changes }
          transaction.put(limits, deployment, accountId, own)
          return { ...usualAttentionLimits, ...own }
        },
        busy,
      ),
    confirmedAt: async (accountId, verificationId) => (await confirmed.get(accountId, verificationId)) ?? 0,
    confirm: (accountId, verificationId, at) => confirmed.put(accountId, verificationId, at),
    all: (accountId) => allOf(progress.listReadable(accountId)),
    read: (transaction, accountId, key) => transaction.read(progress, accountId, key),
    write: (transaction, accountId, key, next) =>
      transaction.put(progress, accountId, key, next, keptInSeconds),
    async sentInHour(transaction, accountId, now) {
      const key = countKey(accountId, now)
      const value = await store.get(key)
      transaction.hold({ key, value })
      return countOf(value)
    },
    countSent: (accountId, now) => ({
      kind: 'add',
      key: countKey(accountId, now),
      more: 1,
      expiresInSeconds: 2 * 3600,
    }),
  }
}

function busy(): Problem {
  return new Problem('overloaded', 'The limits are being changed by another request. Try again.', {
    retryAfterInSeconds: 1,
  })
}
