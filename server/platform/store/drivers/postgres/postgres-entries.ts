import type { PoolClient } from 'pg'
import { createBatchRoom, valuesOfBatch } from '#server/platform/store/batches/batches.ts'
import type { Batch, Clock, Entry, Snapshot, SnapshotEntry } from '#server/platform/store/store.ts'
import { createPages, type Pages, type Query, thereAt } from './postgres-pages.ts'
import type { PostgresPool, Row, Statement } from './postgres-pool.ts'

const listedAtOnce = 200
const inBatchesAtOnce = 8 * valuesOfBatch
/** The maximum time that a backup may pause between two pages. */
const snapshotRestsForMilliseconds = 60_000

interface Reading {
  readonly pool: PostgresPool
  /** The name of the store's schema, quoted for SQL. */
  readonly schema: string
  /** Replaces the server's clock in tests. */
  readonly now: Clock | undefined
}

/** A store's read operations: one entry, a prefix's entries in pages by key, and a snapshot of everything. */
export function createEntries({ pool, schema, now }: Reading) {
  const pages = createPages(schema, now)
  const one: Statement = {
    name: `${schema} get`,
    text: `SELECT value FROM ${schema}.entries WHERE key = $1 AND ${thereAt(2)}`,
  }

  async function* list(prefix: string, after = ''): AsyncGenerator<Entry> {
    for await (const entries of pages(pool.query, prefix, after, listedAtOnce)) yield* entries
  }

  async function* batches(prefix: string): AsyncGenerator<Batch> {
    const room = createBatchRoom()
    for await (const entries of pages(pool.query, prefix, '', inBatchesAtOnce)) {
      for (const { value } of entries) {
        room.put(value)
        if (room.count === valuesOfBatch) yield room.take()
      }
      if (room.count > 0) yield room.take()
    }
  }

  return {
    get: async (key: string): Promise<Uint8Array | undefined> =>
      (await pool.query(one, [key, now?.() ?? null])).rows[0]?.value as Buffer | undefined,
    list,
    batches,
    snapshot: (): Snapshot => {
      const moment = { at: 0 }
      return { entries: snapshotOf(pool, pages, moment, now), takenAt: () => moment.at }
    },
  }
}

/** Reads everything in one transaction. Until it ends, rows that other processes erase still take up space. */
async function* snapshotOf(
  pool: PostgresPool,
  pages: Pages,
  moment: { at: number },
  now: Clock | undefined,
): AsyncGenerator<SnapshotEntry> {
  const connection = await pool.lend()
  try {
    moment.at = await beginSnapshot(connection, now)
    const query: Query = (statement, values) => connection.query<Row>({ ...statement, values: [...values] })
    for await (const entries of pages(query, '', '', listedAtOnce)) yield* entries
  } finally {
    // Closing the connection ends the transaction, even if the reader stops early.
    connection.release(true)
  }
}

/** Returns the snapshot's time, in milliseconds since 1970. */
async function beginSnapshot(connection: PoolClient, now: Clock | undefined): Promise<number> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await connection.query(`SET LOCAL idle_in_transaction_session_timeout = ${snapshotRestsForMilliseconds}`)
  const { rows } = await connection.query<{ at: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at',
  )
  return now?.() ?? rows[0]!.at
}
