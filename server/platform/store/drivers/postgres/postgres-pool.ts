import { Pool, type PoolClient, type QueryResult } from 'pg'
import { type PostgresAddress, readPostgresAddress } from './postgres-address.ts'
import { isLost, meaningOf, whyUnreachable } from './postgres-refusals.ts'

/** A statement that the server prepares once per connection. */
export interface Statement {
  readonly name: string
  readonly text: string
}

export type Row = Readonly<Record<string, unknown>>

/** Connections to a PostgreSQL server. Lost connections are replaced automatically. */
export interface PostgresPool {
  /** @throws {Problem} overloaded, {WriteFailed}, or any other server error */
  query(statement: Statement, values?: readonly unknown[]): Promise<QueryResult<Row>>
  /** Like `query`, but throws the library's errors. */
  rawQuery(statement: Statement, values?: readonly unknown[]): Promise<QueryResult<Row>>
  /** Lends a connection. Callers must release it. */
  lend(): Promise<PoolClient>
  /** The number of open connections, of lent connections, and of callers waiting for one. */
  figures(): { open: number; lent: number; waiting: number }
  close(): Promise<void>
}

interface Options {
  /** Runs when a connection is lost or cannot be made. */
  readonly onFailure: (error: unknown) => void
  /** The setting that names the server, for error messages; defaults to STORE. */
  readonly namedBy?: string
  /** Additional statements to run on each new connection, such as `SET jit = off`. */
  readonly session?: readonly string[]
}

/** How much longer than the server's own statement timeout to wait before giving up on it. */
const silentForMilliseconds = 1000
const idleForMilliseconds = 30_000

/**
 * Opens connections on demand. [Note: Set on each connection] Time-outs and isolation are set explicitly, because a
 * database or role may have other defaults and a commit relies on READ COMMITTED.
 * @throws an Error that explains what is wrong if the first connection fails
 */
export async function openPostgresPool(address: string, options: Options): Promise<PostgresPool> {
  const { onFailure, namedBy = 'STORE', session = [] } = options
  const pool = createPool(readPostgresAddress(address), session)
  pool.on('error', onFailure)
  // A lent connection that is lost while idle emits `error` here. Without a listener the process would end.
  pool.on('connect', (connection) => connection.on('error', onFailure))
  await pool.query('SELECT 1').catch(async (error: unknown) => {
    await pool.end()
    throw new Error(`The PostgreSQL server in ${namedBy} cannot be used: ${whyUnreachable(error)}`)
  })

  async function rawQuery({ name, text }: Statement, values: readonly unknown[] = []) {
    try {
      return await pool.query<Row>({ name, text, values: [...values] })
    } catch (error) {
      if (isLost(error)) onFailure(error)
      throw error
    }
  }

  return {
    rawQuery,
    query: (statement, values) =>
      rawQuery(statement, values).catch((error: unknown) => {
        throw meaningOf(error)
      }),
    lend: () => pool.connect(),
    figures: () => ({
      open: pool.totalCount,
      lent: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: () => pool.end(),
  }
}

/** Runs `work` on a separate connection, which is closed if the work fails. */
export async function withConnection<T>(
  pool: Pick<PostgresPool, 'lend'>,
  work: (connection: PoolClient) => Promise<T>,
): Promise<T> {
  const connection = await pool.lend()
  try {
    const result = await work(connection)
    connection.release()
    return result
  } catch (error) {
    connection.release(true)
    throw error
  }
}

function createPool(to: PostgresAddress, session: readonly string[]): Pool {
  return new Pool({
    host: to.host,
    port: to.port,
    database: to.database,
    ...(to.user !== undefined && { user: to.user }),
    ...(to.password !== undefined && { password: to.password }),
    ssl: to.ssl ?? false,
    max: to.connections,
    connectionTimeoutMillis: to.connectInMilliseconds,
    idleTimeoutMillis: idleForMilliseconds,
    query_timeout: to.statementInMilliseconds + silentForMilliseconds,
    keepAlive: true,
    application_name: 'selfsame',
    onConnect: async (client) => void (await client.query([...sessionSettings(to), ...session].join('; '))),
  })
}

function sessionSettings({ statementInMilliseconds, lockInMilliseconds }: PostgresAddress): string[] {
  return [
    "SET default_transaction_isolation = 'read committed'",
    `SET statement_timeout = ${statementInMilliseconds}`,
    `SET lock_timeout = ${lockInMilliseconds}`,
    `SET idle_in_transaction_session_timeout = ${idleForMilliseconds}`,
  ]
}
