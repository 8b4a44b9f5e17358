import type { Blobs } from '#server/platform/store/blobs/blobs.ts'
import type { RateCounter } from '#server/platform/store/rate-counter.ts'
import { type Clock, type Snapshot, type Store, singleWrites } from '#server/platform/store/store.ts'
import type { StoreServer, StoreTraits } from '#server/platform/store/store-traits.ts'
import { createPostgresBlobs } from './postgres-blobs.ts'
import { createCommit, idsKeptForSeconds, leastIdOf } from './postgres-commit.ts'
import { createCounts } from './postgres-counts.ts'
import { createEntries } from './postgres-entries.ts'
import { createHints } from './postgres-hints.ts'
import { nowAs } from './postgres-pages.ts'
import { openPostgresPool, type PostgresPool, type Statement, withConnection } from './postgres-pool.ts'
import { type PostgresRows, rowsOf } from './postgres-rows.ts'
import { type Migration, prepareSchema, schemaOf } from './postgres-schema.ts'

export interface PostgresStore extends Store {
  /** Counts exactly, whichever process handles a request. */
  readonly rateCounter: RateCounter
  /** The whole store as of the first read. */
  snapshot(): Snapshot
  readonly server: StoreServer
  /** Calls `tell` soon after any process adds to a change log; hints can be lost. Returns a function that stops the calls. */
  onHint(tell: () => void): () => void
  readonly blobs: Blobs
  /** For features with separate tables next to the records. */
  readonly rows: PostgresRows
  readonly pool: PostgresPool
}

interface Options {
  /** Distinguishes the tables of deployments that share a database: the region. */
  readonly tag: string
  /** Replaces the server's clock in tests. */
  readonly now?: Clock
  /** Runs when the connection is lost or cannot be made. Reconnecting is automatic. */
  readonly onFailure: (error: unknown) => void
  /** Defaults to this program's migrations. */
  readonly migrations?: readonly Migration[]
}

const sweptAtOnce = 500

/**
 * A store in a database of a PostgreSQL server (15 or later), for several processes and machines. Creates or migrates its
 * tables if its role may. Expiry follows the server's clock.
 * @throws {Problem} overloaded; an Error that says what is wrong if the server cannot be used
 */
export async function openPostgresStore(address: string, options: Options): Promise<PostgresStore> {
  const { tag, now, onFailure, migrations } = options
  const pool = await openPostgresPool(address, { onFailure })
  const schema = schemaOf(tag)
  try {
    await withConnection(pool, (connection) => prepareSchema(connection, schema, migrations))
  } catch (error) {
    await pool.close()
    throw error
  }
  const hints = createHints(pool, schema)
  const commitEntries = createCommit({ pool, schema, now })
  const commit: Store['commit'] = async (writes, guards) => {
    const isDone = await commitEntries(writes, guards)
    if (isDone && writes.some(({ kind }) => kind === 'append')) hints.give()
    return isDone
  }
  return {
    pool,
    rows: rowsOf(pool, schema),
    blobs: createPostgresBlobs(pool, schema),
    rateCounter: createCounts(pool, schema),
    ...createEntries({ pool, schema, now }),
    ...singleWrites(commit),
    commit,
    sweep: () => sweep(pool, schema, now),
    onHint: hints.listen,
    async close() {
      await hints.close()
      await pool.close()
    },
    server: serverBehind(pool, schema),
  }
}

function serverBehind(pool: PostgresPool, schema: string): StoreServer {
  return {
    traits: () => readTraits(pool),
    time: async () => Number((await pool.query(clock)).rows[0]!.at),
    bytes: async () => Number((await pool.query(bytesOf, [schema])).rows[0]!.bytes),
    mostBytes: async () => undefined,
  }
}

const clock: Statement = {
  name: 'clock',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at',
}

const bytesOf: Statement = {
  name: 'bytes',
  text: `SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes
    FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p')`,
}

const durability: Statement = {
  name: 'durability',
  text: `SELECT current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off' AS keeps`,
}

async function readTraits(pool: PostgresPool): Promise<StoreTraits> {
  return { keepsEveryWrite: (await pool.query(durability)).rows[0]!.keeps === true, evicts: false }
}

/** [Note: Processes sweep side by side] Skips rows that another process is about to erase. */
async function sweep(pool: PostgresPool, schema: string, now: Clock | undefined): Promise<number> {
  const due = (table: string, column: string): Statement => ({
    name: `${schema} sweep ${table}`,
    text: `DELETE FROM ${schema}.${table} WHERE key = ANY (ARRAY(
      SELECT key FROM ${schema}.${table} WHERE ${column} <= ${nowAs(1)}
        ORDER BY ${column} LIMIT ${sweptAtOnce} FOR UPDATE SKIP LOCKED))`,
  })
  const eraseAll = async (statement: Statement, values: readonly unknown[]) => {
    let erased = 0
    for (let full = true; full; ) {
      const { rowCount } = await pool.query(statement, values)
      erased += rowCount ?? 0
      full = rowCount === sweptAtOnce
    }
    return erased
  }
  await pool.query({ name: `${schema} sweep commits`, text: `DELETE FROM ${schema}.commits WHERE id < $1` }, [
    leastIdOf(Date.now() - idsKeptForSeconds * 1000),
  ])
  await eraseAll(due('counts', 'ends_at'), [null])
  return eraseAll(due('entries', 'expires_at'), [now?.() ?? null])
}
