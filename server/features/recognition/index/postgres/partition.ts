import {
  openPostgresPool,
  type PostgresPool,
  type Row,
  type Statement,
  withConnection,
} from '#server/platform/store/drivers/postgres/postgres-pool.ts'
import { isLost, meaningOf, stateOf } from '#server/platform/store/drivers/postgres/postgres-refusals.ts'
import { prepareSchema } from '#server/platform/store/drivers/postgres/postgres-schema.ts'
import { Problem } from '#shared/problem.ts'
import { indexSchemaOf, partitionMigrations } from './partition-schema.ts'
import { type ServerPosition, searchIncomplete } from './search-incomplete.ts'

/** Runs a statement within a transaction. */
export type AskInTransaction = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/**
 * A PostgreSQL server that stores some of the index's faces. Connects on first use, and reconnects automatically. Every
 * method throws `search_incomplete` if the server does not answer.
 */
export interface Partition extends ServerPosition {
  /** Quoted for SQL. */
  readonly schema: string
  ask(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>
  /** Commits all of it or nothing. */
  inTransaction<T>(work: (ask: AskInTransaction) => Promise<T>): Promise<T>
  /** True if our tables exist on the server. */
  isMade(): Promise<boolean>
  /** Checks that the server can be used, and creates our tables. @throws an Error that explains why it cannot */
  prepare(): Promise<void>
  close(): Promise<void>
}

export interface PartitionOptions {
  /** Distinguishes deployments that share a database: the region. */
  readonly tag: string
  /** The setting that names the server. */
  readonly namedBy: string
  readonly onFailure: (error: unknown) => void
}

/**
 * [Note: A scan is planned as one] The planner assumes that a third of all codes are near, and avoids passing all of them
 * from worker to leader. JIT compilation takes longer than it saves. And the range of new rows changes too fast for a
 * cached plan.
 */
const scanning = [
  'SET parallel_tuple_cost = 0',
  'SET parallel_setup_cost = 100',
  'SET jit = off',
  'SET plan_cache_mode = force_custom_plan',
]

/** The table or the schema is missing because it was removed by hand. The next call creates it again. */
const tablesGone = ['42P01', '3F000']

export function createPartition(address: string, at: ServerPosition, options: PartitionOptions): Partition {
  const { tag, namedBy, onFailure } = options
  const schema = indexSchemaOf(tag)
  const opened = kept(() => openPostgresPool(address, { onFailure, namedBy, session: scanning }))
  const prepared = kept(async () => {
    const pool = await opened.get()
    await withConnection(pool, (connection) => prepareSchema(connection, schema, partitionMigrations))
    return pool
  })

  async function answered<T>(work: (pool: PostgresPool) => Promise<T>, pools = prepared): Promise<T> {
    const pool = await pools.get().catch((error: unknown) => {
      onFailure(error)
      throw searchIncomplete(at)
    })
    try {
      return await work(pool)
    } catch (error) {
      const meaning = meaningOf(error)
      const isGone = tablesGone.includes(stateOf(error) ?? '')
      if (isGone) prepared.forget()
      const isAway = isLost(error) || (meaning instanceof Problem && meaning.code === 'store_unavailable')
      throw isAway || isGone ? searchIncomplete(at) : meaning
    }
  }

  return {
    ...at,
    schema,
    ask: (statement, values) => answered(async (pool) => (await pool.rawQuery(statement, values)).rows),
    inTransaction: (work) =>
      answered((pool) =>
        withConnection(pool, async (connection) => {
          await connection.query('BEGIN')
          const result = await work(
            async (text, values = []) => (await connection.query<Row>(text, [...values])).rows,
          )
          await connection.query('COMMIT')
          return result
        }),
      ),
    isMade: () =>
      answered(async (pool) => {
        const made: Statement = { name: `${schema} made`, text: 'SELECT to_regclass($1) IS NOT NULL AS made' }
        return (await pool.rawQuery(made, [`${schema}.galleries`])).rows[0]?.made === true
      }, opened),
    prepare: async () => void (await prepared.get()),
    async close() {
      await (await opened.made())?.close()
    },
  }
}

/** Caches the first call's result. After a failure, the next call tries again. */
function kept<T>(make: () => Promise<T>) {
  let made: Promise<T> | undefined
  return {
    get() {
      made ??= make().catch((error: unknown) => {
        made = undefined
        throw error
      })
      return made
    },
    forget(): void {
      made = undefined
    },
    /** Undefined if it was never requested, or if it failed. */
    made: async () => made?.catch(() => undefined),
  }
}
