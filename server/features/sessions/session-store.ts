import { isDeepStrictEqual } from 'node:util'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type Read } from '#server/platform/store/tables.ts'
import { rowOf, standingOf } from './listing/session-row.ts'
import { createSessionRows, type SessionRows } from './listing/session-rows.ts'
import { type Handoff, retentionInMilliseconds, type SessionRecord } from './record.ts'
import { createUsageCounts, type UsageCounts } from './usage/usage-counts.ts'

interface OpenSession {
  accountId: string
  sessionId: string
  expiresAt: number
}

interface InOneCommit {
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
}

/**
 * Sessions in the store. Everything of a session is gone 7 days after its creation.
 * [Note: Sessions are sealed] They name people, and what a store erases its file may hold for a while: whoever has the
 * file but not the secret reads none, neither those that are kept nor what is left of others.
 */
export interface SessionStore {
  read(accountId: string, sessionId: string): Promise<Read<SessionRecord> | undefined>
  /** Whether there is such a session, without opening its seal. */
  exists(accountId: string, sessionId: string): Promise<boolean>
  /** Saves a new session, with what must happen in the same commit. */
  add(record: SessionRecord, writes: readonly Write[], guards: readonly Guard[]): Promise<boolean>
  /** Replaces the record unless somebody else did since it was read, with what must happen in the same commit. */
  replace(before: Read<SessionRecord>, record: SessionRecord, also?: InOneCommit): Promise<boolean>
  /** As `replace`, and takes the session off the list of open ones. */
  complete(
    before: Read<SessionRecord>,
    record: SessionRecord,
    writes: readonly Write[],
    guards: readonly Guard[],
  ): Promise<boolean>
  /** The writes that leave nothing of a session. */
  erase(accountId: string, sessionId: string): Write[]
  /** The account of a session that is still open; undefined for any other. */
  accountOfOpen(sessionId: string): Promise<string | undefined>
  /** The open sessions that should have been submitted by now. */
  overdue(): AsyncIterable<OpenSession>
}

export function createSessionStore(
  store: Store,
  keyRing: KeyRing,
  now: Clock,
  rows: Pick<SessionRows, 'write' | 'remove' | 'note'> = createSessionRows(store, keyRing),
  usage: Pick<UsageCounts, 'writes'> = createUsageCounts(store, now),
): SessionStore {
  const sessions = createTable<string>(store, 'session')
  const open = createTable<OpenSession>(store, 'open-session')

  const secondsLeft = (record: SessionRecord) =>
    Math.max(1, (record.created + retentionInMilliseconds - now()) / 1000)
  const contextOf = (accountId: string, sessionId: string) => `${accountId}/${sessionId}`
  const writeOf = (record: SessionRecord) => {
    const { accountId, sessionId } = record
    const content = Buffer.from(JSON.stringify(record))
    const sealed = keyRing.seal('session', contextOf(accountId, sessionId), content)
    return sessions.write(accountId, sessionId, sealed, secondsLeft(record))
  }

  const tell = createTelling(rows, usage)
  const newsOf = (before: SessionRecord | undefined, after: SessionRecord) =>
    tell(before, after, secondsLeft(after))

  return {
    async read(accountId, sessionId) {
      const read = await sessions.read(accountId, sessionId)
      // [Note: Ours] Sessions of a build that did not seal them yet are over: who can write to the file could make one.
      if (typeof read?.value !== 'string') return undefined
      const content = keyRing.open('session', contextOf(accountId, sessionId), read.value)
      return { value: wholeRecord(content.toString()), guard: read.guard }
    },
    exists: async (accountId, sessionId) => (await sessions.get(accountId, sessionId)) !== undefined,
    add({ accountId, sessionId, expiresAt, ...rest }, writes, guards) {
      const record = { accountId, sessionId, expiresAt, ...rest }
      const place = { accountId, sessionId, expiresAt }
      const listed = open.write(deployment, sessionId, place, secondsLeft(record))
      return store.commit([writeOf(record), listed, ...newsOf(undefined, record), ...writes], guards)
    },
    replace: (before, record, { writes, guards } = { writes: [], guards: [] }) =>
      store.commit([writeOf(record), ...newsOf(before.value, record), ...writes], [before.guard, ...guards]),
    complete(before, record, writes, guards) {
      const unlisted = open.write(deployment, record.sessionId, undefined)
      const all = [writeOf(record), unlisted, ...newsOf(before.value, record), ...writes]
      return store.commit(all, [before.guard, ...guards])
    },
    erase: (accountId, sessionId) => [
      sessions.write(accountId, sessionId, undefined),
      open.write(deployment, sessionId, undefined),
      rows.remove(accountId, sessionId),
      rows.note(accountId, sessionId, null, retentionInMilliseconds / 1000),
    ],
    accountOfOpen: async (sessionId) => (await open.get(deployment, sessionId))?.accountId,
    async *overdue() {
      for await (const session of open.listReadable(deployment)) if (session.expiresAt <= now()) yield session
    },
  }
}

type StoredRecord = Omit<SessionRecord, 'resultId'> & Partial<SessionRecord> & { readonly handOff?: Handoff }

/** A record as it was written; one of before there were lists and counts lacks what these need. 0.1.0 wrote `handOff`. */
function wholeRecord(text: string): SessionRecord {
  const { handOff, ...stored } = JSON.parse(text) as StoredRecord
  const record = handOff === undefined ? stored : { ...stored, handoff: handOff }
  const lists = { source: 'link', reached: [], tries: 0, review: null, completedAt: null } as const
  return { ...lists, resultId: record.sessionId, ...record }
}

/** What lists and counts are told of a change, in its own commit. */
function createTelling(rows: Pick<SessionRows, 'write' | 'note'>, usage: Pick<UsageCounts, 'writes'>) {
  return (before: SessionRecord | undefined, after: SessionRecord, secondsLeft: number): Write[] => {
    const { accountId, sessionId } = after
    const counted = usage.writes(before, after)
    const row = rowOf(after)
    const former = before === undefined ? null : rowOf(before)
    if (isDeepStrictEqual(former, row)) return counted
    const standing = former === null ? null : standingOf(former)
    const isNoted = !isDeepStrictEqual(standing, standingOf(row))
    const note = isNoted ? [rows.note(accountId, sessionId, standing, secondsLeft)] : []
    return [rows.write(accountId, row, secondsLeft), ...note, ...counted]
  }
}
