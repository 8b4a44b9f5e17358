import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock, Guard, Write } from '#server/platform/store/store.ts'
import type { PostgresPool, Statement } from './postgres-pool.ts'
import { isGivenUp, isLost, meaningOf, unreachable } from './postgres-refusals.ts'

/** Tries of a commit that the server gave up for another one, or that never reached it. */
const mostTries = 8
/** For so long an answer that was lost is asked for. */
const settledWithinMilliseconds = 10_000
const askedAgainAfterMilliseconds = 200
/** Ids of commits are kept for so long: far longer than anybody asks for one. */
export const idsKeptForSeconds = 600

interface Committing {
  readonly pool: PostgresPool
  /** The schema of the store, as SQL has it. */
  readonly schema: string
  /** In place of the clock of the server; for tests. */
  readonly now: Clock | undefined
}

/**
 * Commits in one transaction.
 *
 * [Note: READ COMMITTED] What a commit relies on it locks: the row of each guard, in the order of their keys, and then looks at what
 * is committed by then. Under a stricter isolation the look would show the time before the wait, so that every commit that waited would
 * have to be tried anew; nothing that a commit does not lock has a say in it. What is absent has a row put in its place, whose unique
 * key lets one in and the others wait.
 *
 * [Note: What became of it] Where the connection is lost before the answer has come, the commit may have happened. Each one leaves an id;
 * whoever has lost the answer writes that id himself: where it stands already, the commit happened, also where another server has taken
 * over meanwhile; else it has not, and cannot any more, as the id is taken. As that answer may be lost as well, he leaves a mark of his own
 * with it: who finds the id taken and his mark there has taken it himself.
 */
export function createCommit({ pool, schema, now }: Committing) {
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

  /** Whether a commit happened; from then on it does not where it has not. @throws {Problem} where nobody can tell in time */
  async function settled(id: string): Promise<boolean> {
    const mark = newId()
    for (const until = Date.now() + settledWithinMilliseconds; ; ) {
      try {
        if ((await pool.rawQuery(takeId, [id, mark])).rowCount !== 0) return false
        // A later statement sees what the one before has waited for.
        return (await pool.rawQuery(findMark, [mark])).rows.length === 0
      } catch (error) {
        if (Date.now() > until) throw unreachable()
        if (!isLost(error) && meaningOf(error) === error) throw error
      }
      await pause(askedAgainAfterMilliseconds)
    }
  }

  /** Answers undefined where it has not happened, and may be tried again. */
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

/** [Note: In one order] Locks are taken in the order of keys everywhere, counts last: no two commits wait for each other. */
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

/** A write as the function `commit_entries` takes it: a put without a value removes. */
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

/** The least id of a time: every commit before has a lesser one. */
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
