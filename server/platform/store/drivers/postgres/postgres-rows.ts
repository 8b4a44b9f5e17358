import type { Query } from './postgres-pages.ts'
import { openPostgresPool, type PostgresPool, type Row, withConnection } from './postgres-pool.ts'
import { prepareSchema, schemaOf } from './postgres-schema.ts'

/** A deployment's schema, for features that have their own tables next to the records. */
export interface PostgresRows {
  readonly pool: Pick<PostgresPool, 'query' | 'rawQuery'>
  /** Quoted for SQL. */
  readonly schema: string
  /** Runs `work` on a separate connection, and commits all of it, or nothing if it fails. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
}

export function rowsOf(pool: PostgresPool, schema: string): PostgresRows {
  return {
    pool,
    schema,
    transaction: (work) =>
      withConnection(pool, async (connection) => {
        await connection.query('BEGIN')
        const result = await work((statement, values) =>
          connection.query<Row>({ ...statement, values: [...values] }),
        )
        await connection.query('COMMIT')
        return result
      }),
  }
}

export interface OpenedRows extends PostgresRows {
  close(): Promise<void>
}

interface Options {
  /** The deployment's region. */
  readonly tag: string
  /** The setting that names the server, for error messages. */
  readonly namedBy: string
  readonly onFailure: (error: unknown) => void
}

/**
 * Opens a deployment's schema on a server that is not its store, and creates its tables if the role may do so.
 * @throws an Error that explains what is wrong if the server cannot be used
 */
export async function openPostgresRows(address: string, options: Options): Promise<OpenedRows> {
  const { tag, namedBy, onFailure } = options
  const pool = await openPostgresPool(address, { onFailure, namedBy })
  const schema = schemaOf(tag)
  try {
    await withConnection(pool, (connection) => prepareSchema(connection, schema))
  } catch (error) {
    await pool.close()
    throw error
  }
  return { ...rowsOf(pool, schema), close: pool.close }
}
