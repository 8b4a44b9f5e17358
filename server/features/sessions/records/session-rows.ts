import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { counterOf, countOf, numberedKey, numberOf } from '#server/platform/store/counts.ts'
import { putOf, removalOf, type Store, type Write } from '#server/platform/store/store.ts'
import { digestOfSession, type SessionRow, type SessionStanding } from './session-row.ts'

/** A change to a listed session. `was` is the previous state, or null for a new session. Changes are numbered in commit order. */
export interface RowChange {
  readonly number: number
  readonly digest: string
  readonly was: SessionStanding | null
}

/**
 * The data behind the lists: a row per session, and a change log that every process follows. [Note: Rows are sealed] Rows
 * are sealed like sessions, and the log identifies sessions by digests of their random IDs.
 */
export interface SessionRows {
  /** The writes for a commit that changes a session. */
  write(accountId: string, row: SessionRow, expiresInSeconds: number): Write
  remove(accountId: string, sessionId: string): Write
  /** Stored as long as the row. A process that has missed it by then has already dropped the session as too old. */
  note(accountId: string, sessionId: string, was: SessionStanding | null, expiresInSeconds: number): Write
  read(accountId: string, digest: string): Promise<SessionRow | undefined>
  all(accountId: string): AsyncIterable<SessionRow>
  /** The last change's number; 0 before the first. */
  lastChange(accountId: string): Promise<number>
  changesAfter(accountId: string, number: number): AsyncIterable<RowChange>
}

export function createSessionRows(store: Store, keyRing: KeyRing): SessionRows {
  const prefixOf = (accountId: string) => `session-row/${accountId}/`
  const logOf = (accountId: string) => `session-change/${accountId}`
  const keyOf = (accountId: string, digest: string) => prefixOf(accountId) + digest

  function opened(key: string, value: Uint8Array): SessionRow {
    const sealed = Buffer.from(value).toString()
    return JSON.parse(keyRing.open('session-row', key, sealed).toString()) as SessionRow
  }

  return {
    write(accountId, row, expiresInSeconds) {
      const key = keyOf(accountId, digestOfSession(row.sessionId))
      const sealed = keyRing.seal('session-row', key, Buffer.from(JSON.stringify(row)))
      return putOf(key, Buffer.from(sealed), expiresInSeconds)
    },
    remove: (accountId, sessionId) => removalOf(keyOf(accountId, digestOfSession(sessionId))),
    note: (accountId, sessionId, was, expiresInSeconds) => ({
      kind: 'append',
      key: logOf(accountId),
      value: Buffer.from(JSON.stringify({ digest: digestOfSession(sessionId), was })),
      expiresInSeconds,
    }),
    async read(accountId, digest) {
      const key = keyOf(accountId, digest)
      const value = await store.get(key)
      return value && opened(key, value)
    },
    async *all(accountId) {
      for await (const { key, value } of store.list(prefixOf(accountId))) yield opened(key, value)
    },
    lastChange: async (accountId) => countOf(await store.get(counterOf(logOf(accountId)))),
    async *changesAfter(accountId, number) {
      const log = logOf(accountId)
      for await (const { key, value } of store.list(`${log}/`, numberedKey(log, number)))
        yield { number: numberOf(key), ...JSON.parse(Buffer.from(value).toString()) }
    },
  }
}
