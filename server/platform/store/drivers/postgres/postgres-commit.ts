import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock, Guard, Write } from '#server/platform/store/store.ts'
import type { PostgresPool, Statement } from './postgres-pool.ts'
import { isGivenUp, isLost, meaningOf, unreachable } from './postgres-refusals.ts'

/** How often to try a commit that the server aborted in favour of another, or that never reached it. */
const mostTries = 8
/** How long to ask about a commit's outcome after its answer was lost. */
const settledWithinMilliseconds = 10_000
const askedAgainAfterMilliseconds = 200
/** Commit IDs are stored far longer than any process asks about them. */
export const idsKeptForSeconds = 600

interface CommitContext {
  readonly pool: PostgresPool
  /** The name of the store's schema, quoted for SQL. */
  readonly schema: string
  /** Replaces the server's clock in tests. */
  readonly now: Clock | undefined
}

/**
 * Commits in one transaction.
 *
 * [Note: READ COMMITTED] A commit locks everything it relies on, the row of each guard in key order, and then reads what
 * is committed by then. Under stricter isolation it would read the state from before the wait, and every commit that
 * waited would have to be retried; rows that a commit does not lock do not affect it. For an absent entry a placeholder
 * row is inserted, whose unique key lets one commit in and makes the others wait.
 *
 * [Note: What became of it] If the connection is lost before the answer arrives, the commit may have happened. Each
 * commit inserts an id, and a process that lost the answer tries to insert that id itself. If it is already present, the
 * commit happened, even if another server has taken over since. Otherwise it has not, and no longer can, because the id
 * is now taken. Since the answer to this insert may be lost too, it carries a mark: a process that finds the id taken
 * together with its own mark knows that it inserted the id itself.
 */
export function createCommit({ pool, schema, now }: CommitContext) {
  const commitEntries: Statement = {
    name: `${schema} commit`,
    text: `SELECT ${schema}.commit_entries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS done`,
  }
  const takeId: Statement = {
    name: `${schema} settle`,
    text: `WITH taken AS (INSERT INTO ${schema}.commits (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1)
      INSERT INTO ${schema}.commits (id) SELECT $2::uuid FROM taken`,
  }
  const findMark: Statement = {
    name: `${schema} settled`,
    text: `SELECT 1 AS found FROM ${schema}.commits WHERE id = $1`,
  }

  /** Determines if a commit happened, and prevents it if it has not. @throws {Problem} if the outcome cannot be determined in time */
  async function settled(id: string): Promise<boolean> {
    const mark = newId()
    for (const until = Date.now() + settledWithinMilliseconds; ; ) {
      try {
        if ((await pool.rawQuery(takeId, [id, mark])).rowCount !== 0) return false
        // A separate statement sees rows that the first one waited for.
        return (await pool.rawQuery(findMark, [mark])).rows.length === 0
      } catch (error) {
        if (Date.now() > until) throw unreachable()
        if (!isLost(error) && meaningOf(error) === error) throw error
      }
      await pause(askedAgainAfterMilliseconds)
    }
  }

  /** Resolves to undefined if the commit did not happen and may be retried. */
  async function attempt(values: readonly unknown[]): Promise<boolean | undefined> {
    const id = newId()
    try {
      const { rows } = await pool.rawQuery(commitEntries, [id, now?.() ?? null, ...values])
      return rows[0]?.done === true
    } catch (error) {
      if (isGivenUp(error)) return undefined
      if (!isLost(error)) throw meaningOf(error)
      return (await settled(id)) ? true : undefined
    }
  }

  return async (writes: readonly Write[], guards: readonly Guard[]): Promise<boolean> => {
    const values = argumentsOf(writes, guards)
    for (let tries = 0; tries < mostTries; tries++) {
      const isDone = await attempt(values)
      if (isDone !== undefined) return isDone
    }
    throw unreachable()
  }
}

/** [Note: In one order] All commits take locks in key order, with counts last, so no two of them deadlock. */
function argumentsOf(writes: readonly Write[], guards: readonly Guard[]): readonly unknown[] {
  const guarded = [...guards].sort(byKey)
  const isCount = ({ kind }: WriteRow) => kind !== 'put'
  const written = writes.map(rowOf).sort((a, b) => Number(isCount(a)) - Number(isCount(b)) || byKey(a, b))
  const writtenKeys = new Set(writes.map(({ key }) => key))
  const sizeOf = ({ value }: Pick<Guard, 'value'>) => value?.length ?? null
  const payload = [...guarded, ...written].flatMap(({ value }) => (value === undefined ? [] : [value]))
  return [
    Buffer.concat(payload),
    guarded.map(({ key }) => key),
    guarded.map(sizeOf),
    guarded.map(({ key }) => writtenKeys.has(key)),
    written.map(({ key }) => key),
    written.map(sizeOf),
    written.map(({ lifetime }) => lifetime ?? null),
    written.map(({ kind }) => kind),
    written.map(({ amount }) => amount),
  ]
}

/** A write in the form that the SQL function `commit_entries` expects. A put without a value removes the entry. */
interface WriteRow {
  readonly key: string
  readonly kind: 'put' | 'number' | 'add'
  readonly value: Uint8Array | undefined
  readonly lifetime: number | undefined
  readonly amount: number
}

function rowOf(write: Write): WriteRow {
  const { key } = write
  switch (write.kind) {
    case 'put':
      return { key, kind: 'put', value: write.value, lifetime: write.expiresInSeconds, amount: 1 }
    case 'append':
      return { key, kind: 'number', value: write.value, lifetime: write.expiresInSeconds, amount: 1 }
    case 'add':
      return { key, kind: 'add', value: undefined, lifetime: write.expiresInSeconds, amount: write.more }
    case 'remove':
      return { key, kind: 'put', value: undefined, lifetime: undefined, amount: 1 }
  }
}

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  if (a.key === b.key) return 0
  return a.key < b.key ? -1 : 1
}

/** A UUID that begins with the milliseconds since 1970 (RFC 9562, version 7). */
function newId(): string {
  return idOf(Date.now(), randomBytes(10))
}

/** The lowest ID for a point in time: every earlier commit has a lower one. */
export function leastIdOf(milliseconds: number): string {
  return idOf(milliseconds, Buffer.alloc(10))
}

function idOf(milliseconds: number, random: Buffer): string {
  const bytes = Buffer.concat([Buffer.alloc(6), random])
  bytes.writeUIntBE(Math.max(0, Math.floor(milliseconds)), 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
