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
import { searchIncomplete, type Whereabouts } from './search-incomplete.ts'

/** What one transaction asks. */
export type AskInTransaction = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/**
 * One PostgreSQL server of those that keep the faces of the index. It is connected to when it is first asked, and again by itself after it was
 * away. Everything here throws `search_incomplete` where it does not answer.
 */
export interface Partition extends Whereabouts {
  /** As SQL has it. */
  readonly schema: string
  ask(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>
  /** All of it or nothing. */
  inTransaction<T>(work: (ask: AskInTransaction) => Promise<T>): Promise<T>
  /** Whether it has tables of ours. */
  isMade(): Promise<boolean>
  /** Sees that it can be used, and makes its tables. @throws in words where it cannot */
  prepare(): Promise<void>
  close(): Promise<void>
}

export interface PartitionOptions {
  /** What tells deployments apart in one database; the region. */
  readonly tag: string
  /** The setting that names the server. */
  readonly namedBy: string
  readonly onFailure: (error: unknown) => void
}

/**
 * [Note: A scan is planned as one] The planner takes a third of all codes to be near, and would rather not hand so many from worker to
 * leader; what compiles queries takes longer than it saves; and which rows are the last ones changes too fast for a plan that is kept.
 */
const scanning = [
  'SET parallel_tuple_cost = 0',
  'SET parallel_setup_cost = 100',
  'SET jit = off',
  'SET plan_cache_mode = force_custom_plan',
]

/** The table is not there, or the schema: somebody has removed it. The next call makes it anew. */
const tablesGone = ['42P01', '3F000']

export function createPartition(address: string, at: Whereabouts, options: PartitionOptions): Partition {
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

/** What is made when it is first asked for; where that failed, it is tried again. */
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
    /** Undefined where it was never asked for, or could not be made. */
    made: async () => made?.catch(() => undefined),
  }
}
