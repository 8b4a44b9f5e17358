import type { PoolClient } from 'pg'
import { createLotRoom, valuesOfLot } from '#server/platform/store/lots/lots.ts'
import type { Clock, Entry, Lot, Snapshot, SnapshotEntry } from '#server/platform/store/store.ts'
import type { PostgresPool, Row, Statement } from './postgres-pool.ts'

const listedAtOnce = 200
const inLotsAtOnce = 8 * valuesOfLot
/** Behind every key that begins with a prefix: no character comes later in the order of bytes. */
const afterEveryKey = '\u{10ffff}'
/** How long a backup may rest between two pages. */
const snapshotRestsForMilliseconds = 60_000

interface Reading {
  readonly pool: PostgresPool
  readonly schema: string
  readonly now: Clock | undefined
}

/** SQL for now: the clock of the server, or the one that a test gives as a parameter. */
export function nowAs(parameter: number): string {
  return `coalesce($${parameter}::float8, extract(epoch FROM statement_timestamp()) * 1000)`
}

/** What is read of a store: one entry, those of a prefix in pages by key, and all of them at one moment. */
export function createEntries({ pool, schema, now }: Reading) {
  const isThere = (parameter: number) => `(expires_at IS NULL OR expires_at > ${nowAs(parameter)})`
  const one: Statement = {
    name: `${schema} get`,
    text: `SELECT value FROM ${schema}.entries WHERE key = $1 AND ${isThere(2)}`,
  }
  const page = (name: string, comparison: '>' | '>='): Statement => ({
    name: `${schema} ${name}`,
    text: `SELECT key, value, expires_at::float8 AS "expiresAt" FROM ${schema}.entries
      WHERE key ${comparison} $1 AND key < $2 AND ${isThere(3)} ORDER BY key LIMIT $4`,
  })
  const [firstPage, nextPage] = [page('first page', '>='), page('next page', '>')]

  const at = () => now?.() ?? null
  type Query = (statement: Statement, values: readonly unknown[]) => Promise<{ readonly rows: Row[] }>

  async function* pages(query: Query, prefix: string, after: string, atOnce: number) {
    const end = prefix + afterEveryKey
    const isBefore = after < prefix || after === ''
    let [statement, from] = isBefore ? [firstPage, prefix] : [nextPage, after]
    for (let full = true; full; ) {
      const { rows } = await query(statement, [from, end, at(), atOnce])
      full = rows.length === atOnce
      if (rows.length === 0) return
      yield rows.map(entryOf)
      ;[statement, from] = [nextPage, rows.at(-1)!.key as string]
    }
  }

  async function* list(prefix: string, after = ''): AsyncGenerator<Entry> {
    for await (const entries of pages(pool.query, prefix, after, listedAtOnce)) yield* entries
  }

  async function* lots(prefix: string): AsyncGenerator<Lot> {
    const room = createLotRoom()
    for await (const entries of pages(pool.query, prefix, '', inLotsAtOnce)) {
      for (const { value } of entries) {
        room.put(value)
        if (room.count === valuesOfLot) yield room.take()
      }
      if (room.count > 0) yield room.take()
    }
  }

  /** One transaction reads all of it; what others erase meanwhile keeps its room until it ends. */
  function snapshot(): Snapshot {
    const moment = { at: 0 }
    return { entries: snapshotEntries(moment), takenAt: () => moment.at }
  }

  async function* snapshotEntries(moment: { at: number }): AsyncGenerator<SnapshotEntry> {
    const connection = await pool.lend()
    let failure: Error | undefined
    try {
      moment.at = await beginSnapshot(connection, now)
      const query: Query = (statement, values) => connection.query<Row>({ ...statement, values: [...values] })
      for await (const entries of pages(query, '', '', listedAtOnce)) yield* entries
      await connection.query('COMMIT')
    } catch (error) {
      failure = error as Error
      throw error
    } finally {
      // Whoever stops reading in between leaves a transaction behind, which ends with its connection.
      connection.release(failure ?? true)
    }
  }

  return {
    get: async (key: string): Promise<Uint8Array | undefined> =>
      (await pool.query(one, [key, at()])).rows[0]?.value as Buffer | undefined,
    list,
    lots,
    snapshot,
  }
}

async function beginSnapshot(connection: PoolClient, now: Clock | undefined): Promise<number> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await connection.query(`SET LOCAL idle_in_transaction_session_timeout = ${snapshotRestsForMilliseconds}`)
  const { rows } = await connection.query<{ at: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at',
  )
  return now?.() ?? rows[0]!.at
}

function entryOf({ key, value, expiresAt }: Row): Entry {
  return {
    key: key as string,
    value: value as Buffer,
    expiresAt: (expiresAt as number | null) ?? undefined,
  }
}
