import { isDeepStrictEqual } from 'node:util'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import {
  type Clock,
  type Guard,
  guardOf,
  type Put,
  type Store,
  type Write,
} from '#server/platform/store/store.ts'
import { createTable, deployment, type GuardedRecord, type Table } from '#server/platform/store/tables.ts'
import { beginTransaction, type Transaction } from '#server/platform/store/transaction.ts'
import { createEvidenceRecords, type EvidenceRecords } from './evidence-records.ts'
import { createSessionHistory, type SessionHistory } from './session-history.ts'
import { retentionInMilliseconds, type SessionRecord } from './session-record.ts'
import { rowOf, standingOf } from './session-row.ts'
import { createSessionRows, type SessionRows } from './session-rows.ts'
import { createUsageCounts, type UsageCounts } from './usage-counts.ts'

/** An open session's entry, which is not sealed. */
export interface OpenSession extends Pick<SessionRecord, 'ownWindow'> {
  accountId: string
  sessionId: string
  expiresAt: number
}

/** Writes and guards for the commit that saves a session. */
export interface CommitPart {
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
}

/**
 * The stored sessions. All session data is erased 7 days after the session's creation. [Note: Sessions are sealed] They
 * name people, and erased data may linger in a store's file for a while. Without the secret, neither current sessions nor
 * remnants of erased ones can be read from the file.
 */
export interface SessionStore {
  read(accountId: string, sessionId: string): Promise<GuardedRecord<SessionRecord> | undefined>
  /** True if the session exists. Does not unseal it. */
  exists(accountId: string, sessionId: string): Promise<boolean>
  /** Adds a new session and lists it as open. */
  insert(transaction: Transaction, record: SessionRecord): void
  /**
   * Writes the new state of a session, guarded on the state that was read. A session that ends is removed from the list of
   * open ones. Returns the guard that holds from this commit until the next change.
   */
  save(transaction: Transaction, before: GuardedRecord<SessionRecord>, record: SessionRecord): Guard
  /** Saves a new session, along with further writes and guards in the same commit. */
  add(record: SessionRecord, writes: readonly Write[], guards: readonly Guard[]): Promise<boolean>
  /** Replaces the record unless it has changed since it was read, along with further writes and guards in the same commit. */
  replace(before: GuardedRecord<SessionRecord>, record: SessionRecord, also?: CommitPart): Promise<boolean>
  /** The writes that remove all of a session's data. */
  erase(accountId: string, sessionId: string): Write[]
  /** Undefined if a session has ended or never existed. */
  findOpen(sessionId: string): Promise<OpenSession | undefined>
  /** The open sessions that are past their submission deadline. */
  overdue(): AsyncIterable<OpenSession>
}

export function createSessionStore(
  store: Store,
  keyRing: KeyRing,
  now: Clock,
  rows: Pick<SessionRows, 'write' | 'remove' | 'note'> = createSessionRows(store, keyRing),
  usage: Pick<UsageCounts, 'writes'> = createUsageCounts(store),
  history: Pick<SessionHistory, 'writes'> = createSessionHistory(store, keyRing, now),
  evidence: Pick<EvidenceRecords, 'begun' | 'erased'> = createEvidenceRecords(store, keyRing, now),
): SessionStore {
  const sessions = createTable<string>(store, 'session')
  const open = createTable<OpenSession>(store, 'open-session')

  const { insert, save } = createSaving({ sessions, open, keyRing, rows, usage, history, evidence, now })

  function together({ writes, guards }: CommitPart): Transaction {
    const transaction = beginTransaction(store)
    transaction.write(...writes)
    transaction.hold(...guards)
    return transaction
  }

  return {
    async read(accountId, sessionId) {
      const read = await sessions.read(accountId, sessionId)
      // [Note: Ours] An unsealed record is not a session, because anyone with write access to the store could plant one.
      if (typeof read?.value !== 'string') return undefined
      const content = keyRing.open('session', contextOf(accountId, sessionId), read.value)
      return { value: JSON.parse(content.toString()) as SessionRecord, guard: read.guard }
    },
    exists: async (accountId, sessionId) => (await sessions.get(accountId, sessionId)) !== undefined,
    insert,
    save,
    add(record, writes, guards) {
      const transaction = together({ writes, guards })
      insert(transaction, record)
      return transaction.commit()
    },
    replace(before, record, also = { writes: [], guards: [] }) {
      const transaction = together(also)
      save(transaction, before, record)
      return transaction.commit()
    },
    erase: (accountId, sessionId) => [
      sessions.write(accountId, sessionId, undefined),
      open.write(deployment, sessionId, undefined),
      rows.remove(accountId, sessionId),
      ...evidence.erased({ accountId, sessionId }),
      rows.note(accountId, sessionId, null, retentionInMilliseconds / 1000),
    ],
    findOpen: (sessionId) => open.get(deployment, sessionId),
    async *overdue() {
      for await (const session of open.listReadable(deployment)) if (session.expiresAt <= now()) yield session
    },
  }
}

const contextOf = (accountId: string, sessionId: string) => `${accountId}/${sessionId}`

interface SaveServices {
  readonly sessions: Table<string>
  readonly open: Table<OpenSession>
  readonly keyRing: KeyRing
  readonly rows: Pick<SessionRows, 'write' | 'note'>
  readonly usage: Pick<UsageCounts, 'writes'>
  readonly history: Pick<SessionHistory, 'writes'>
  readonly evidence: Pick<EvidenceRecords, 'begun'>
  readonly now: Clock
}

/** Writes a session in a transaction, together with the data for lists and counts. */
function createSaving({
  sessions,
  open,
  keyRing,
  rows,
  usage,
  history,
  evidence,
  now,
}: SaveServices): Pick<SessionStore, 'insert' | 'save'> {
  const tell = createTelling({ rows, usage, history })
  const secondsLeft = (record: SessionRecord) =>
    Math.max(1, (record.created + retentionInMilliseconds - now()) / 1000)

  function write(transaction: Transaction, before: SessionRecord | undefined, record: SessionRecord): Put {
    const { accountId, sessionId } = record
    const content = Buffer.from(JSON.stringify(record))
    const sealed = keyRing.seal('session', contextOf(accountId, sessionId), content)
    const own = sessions.write(accountId, sessionId, sealed, secondsLeft(record))
    transaction.write(own, ...tell(before, record, secondsLeft(record)))
    return own
  }

  return {
    insert(transaction, record) {
      const { accountId, sessionId, expiresAt, ownWindow } = record
      const listed = { accountId, sessionId, expiresAt, ...(ownWindow && { ownWindow }) }
      transaction.write(...evidence.begun(record))
      write(transaction, undefined, record)
      transaction.put(open, deployment, sessionId, listed, secondsLeft(record))
    },
    save(transaction, { value: before, guard }, record) {
      transaction.hold(guard)
      const written = write(transaction, before, record)
      if (before.outcome === null && record.outcome !== null)
        transaction.put(open, deployment, record.sessionId, undefined)
      return guardOf(written)
    },
  }
}

/** Passes a change on to the lists and counts, in the same commit. */
function createTelling({ rows, usage, history }: Pick<SaveServices, 'rows' | 'usage' | 'history'>) {
  return (before: SessionRecord | undefined, after: SessionRecord, secondsLeft: number): Write[] => {
    const { accountId, sessionId } = after
    const counted = usage.writes(before, after)
    const row = rowOf(after)
    const former = before === undefined ? null : rowOf(before)
    if (isDeepStrictEqual(former, row)) return counted
    const standing = former === null ? null : standingOf(former)
    const isNoted = !isDeepStrictEqual(standing, standingOf(row))
    const note = isNoted ? [rows.note(accountId, sessionId, standing, secondsLeft)] : []
    return [rows.write(accountId, row, secondsLeft), ...note, ...history.writes(before, after), ...counted]
  }
}
