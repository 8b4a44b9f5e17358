import type { Events, NewEvent, PreparedEvent } from '#server/features/webhooks/webhooks.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { beginTransaction, type Transaction } from '#server/platform/store/transaction.ts'
import type { AttentionStore } from './attention-store.ts'
import { type Condition, helpFor, keyOf } from './condition.ts'
import type { FindConditions } from './find-conditions.ts'
import { advance, type Progress } from './progress.ts'

/** How many events an account is sent in an hour before one of the kind `many` replaces the rest. */
const mostInHour = 50

interface Dependencies {
  readonly store: Store
  readonly records: AttentionStore
  readonly findConditions: FindConditions
  readonly events: Pick<Events, 'prepare' | 'receivers'>
  readonly now: Clock
}

/**
 * Informs an account's endpoints about conditions that began or ended. [Note: Sent once] Several processes may look at
 * once: the progress is guarded, so one of them sends. An account without an endpoint for these events costs one read.
 */
export function createAnnounce(services: Dependencies): (accountId: string) => Promise<void> {
  const { records, findConditions, events } = services
  return async (accountId) => {
    if ((await events.receivers(accountId, 'AttentionNeeded')) === 0) return
    const found = new Map((await findConditions(accountId)).map((one) => [keyOf(one), one]))
    const known = await records.all(accountId)
    const keys = new Set([...found.keys(), ...known.map(keyOf)])
    for (const key of keys) await settle(services, accountId, key, found.get(key))
  }
}

async function settle(services: Dependencies, accountId: string, key: string, found: Condition | undefined) {
  const { store, records, now } = services
  const transaction = beginTransaction(store)
  const time = now()
  const before = await records.read(transaction, accountId, key)
  const { next, sends } = advance(before, found, time)
  records.write(transaction, accountId, key, next)
  const about = next ?? before
  const prepared =
    sends === null || about === undefined
      ? undefined
      : await prepare(services, transaction, accountId, about, { state: sends, now: time })
  // The only endpoint may be the one that it is about.
  if (prepared !== undefined && prepared.writes.length > 0)
    transaction.write(...prepared.writes, records.countSent(accountId, time))
  if (await transaction.commit()) prepared?.send()
}

/** Undefined if the account was already sent enough in this hour. */
async function prepare(
  { records, events }: Dependencies,
  transaction: Transaction,
  accountId: string,
  { kind, subject, since }: Progress,
  { state, now }: { readonly state: 'begun' | 'ended'; readonly now: number },
): Promise<PreparedEvent | undefined> {
  const sent = await records.sentInHour(transaction, accountId, now)
  if (sent > mostInHour) return undefined
  const event = { event: 'AttentionNeeded', state } as const
  if (sent === mostInHour) {
    const many = { kind: 'many', subject: { type: 'account', id: accountId }, help: helpFor.many } as const
    return events.prepare(accountId, { ...event, ...many, since: new Date(now).toISOString() })
  }
  const one: NewEvent = { ...event, kind, subject, help: helpFor[kind], since: new Date(since).toISOString() }
  return events.prepare(accountId, one)
}
