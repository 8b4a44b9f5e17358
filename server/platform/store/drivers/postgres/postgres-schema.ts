import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PoolClient, QueryConfig } from 'pg'
import { productVersion } from '#server/platform/running/product-version.ts'
import { stateOf } from './postgres-refusals.ts'

/** A schema migration, from a file such as `001-entries.sql`. Released migrations never change. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  /** The oldest migration that a program must know in order to use a schema with this one. */
  readonly leastReader: number
}

const leastVersion = 15
/** An advisory lock that lets only one program at a time change the schema. */
const migrationLock = 7_365_101
const migratesForMilliseconds = 600_000

/** Next to this file in the source, one level up in the built server. */
function ownFolder(): string {
  const here = fileURLToPath(new URL('.', import.meta.url))
  return [join(here, 'migrations'), join(here, '../migrations')].find(existsSync) ?? join(here, 'migrations')
}

/** @throws if a file does not name its least reader, or the numbers have a gap */
export function readMigrations(folder = ownFolder()): readonly Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return names.map((file, i) => {
    const sql = readFileSync(join(folder, file), 'utf8')
    const [, number, name] = /^(\d{3})-([\w-]+)\.sql$/.exec(file) ?? []
    const leastReader = /^-- least reader: (\d+)$/m.exec(sql)?.[1]
    if (Number(number) !== i + 1 || leastReader === undefined)
      throw new Error(`The migration ${file} is out of sequence, or does not name its least reader.`)
    return { number: i + 1, name: name!, sql, leastReader: Number(leastReader) }
  })
}

/** The name of a deployment's schema, quoted for SQL. Each region has its own, so several can share a server. */
export function schemaOf(tag: string): string {
  return `"selfsame_${tag.toLowerCase().replace(/[^a-z0-9]/g, '_')}"`
}

/**
 * Checks that the server is suitable and applies missing migrations. Processes that start together take turns.
 * @throws an Error that says if the server is too old, read-only or has another encoding, if the schema needs a later
 * program, or if the role may not change it
 */
export async function prepareSchema(
  connection: PoolClient,
  schema: string,
  migrations: readonly Migration[] = readMigrations(),
): Promise<void> {
  await refuseUnfit(connection)
  if (!(await isBehind(connection, schema, migrations))) return
  try {
    await migrate(connection, schema, migrations)
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined)
    throw stateOf(error) === '42501' ? await mayNot(connection, schema, migrations, error) : error
  }
}

/** Facts that a server reports about itself. */
interface Server {
  readonly version: string
  readonly encoding: string
  readonly reads: string
}

async function refuseUnfit(connection: PoolClient): Promise<void> {
  const { rows } = await connection.query<Server>(
    `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
      current_setting('transaction_read_only') AS reads`,
  )
  const refusal = refusalOfServer(rows[0]!)
  if (refusal !== undefined) throw new Error(refusal)
}

/** The reason that a server is not suitable; undefined if it is suitable. */
export function refusalOfServer({ version, encoding, reads }: Server): string | undefined {
  if (Number.parseInt(version, 10) < leastVersion)
    return `The PostgreSQL server has version ${version}; at least ${leastVersion} is required.`
  if (encoding !== 'UTF8')
    return `The database in STORE has the encoding ${encoding}. Create one with ENCODING 'UTF8'.`
  if (reads === 'on')
    return 'The PostgreSQL server in STORE is read-only: it is a replica, or is configured so. Set STORE to the primary.'
  return undefined
}

/** @throws if the schema needs a later version of the program */
async function isBehind(connection: PoolClient, schema: string, migrations: readonly Migration[]) {
  const newest = migrations.length
  const applied = await appliedIn(connection, schema)
  if (applied.leastReader > newest)
    throw new Error(
      `The schema of the store is at ${applied.number}, which Selfsame ${applied.program} created and which requires a program that knows ${applied.leastReader}. This is ${productVersion}, which knows ${newest}. Start the later program, or restore a backup from before the upgrade.`,
    )
  return applied.number < newest
}

async function appliedIn(connection: PoolClient, schema: string) {
  const nothing = { number: 0, leastReader: 0, program: '' }
  const { rows: found } = await connection.query<{ there: string | null }>(
    'SELECT to_regclass($1) AS there',
    [`${schema}.migrations`],
  )
  if (found[0]?.there === null) return nothing
  const { rows } = await connection.query<typeof nothing>(
    `SELECT number, max(least_reader) OVER () AS "leastReader", program FROM ${schema}.migrations ORDER BY number DESC LIMIT 1`,
  )
  return rows[0] ?? nothing
}

async function migrate(connection: PoolClient, schema: string, migrations: readonly Migration[]) {
  await connection.query('BEGIN')
  await connection.query(`SET LOCAL statement_timeout = ${migratesForMilliseconds}`)
  await connection.query(`SET LOCAL lock_timeout = ${migratesForMilliseconds}`)
  await connection.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
  const { rows } = await connection.query<{ there: boolean }>(
    'SELECT to_regnamespace($1) IS NOT NULL AS there',
    [schema],
  )
  // Checks first, because CREATE SCHEMA IF NOT EXISTS requires the privilege even if the schema exists.
  if (!rows[0]!.there) await connection.query(`CREATE SCHEMA ${schema}`)
  await connection.query(`SET LOCAL search_path = ${schema}, pg_temp`)
  await connection.query(`CREATE TABLE IF NOT EXISTS migrations (
    number integer PRIMARY KEY, name text NOT NULL, least_reader integer NOT NULL,
    program text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
  const { number: from } = await appliedIn(connection, schema)
  for (const { number, name, sql, leastReader } of migrations.slice(from)) {
    // The pool's statement timeout is too short to migrate a table with millions of rows.
    const patient: QueryConfig & { query_timeout: number } = {
      text: sql,
      query_timeout: migratesForMilliseconds,
    }
    await connection.query(patient)
    await connection.query(
      'INSERT INTO migrations (number, name, least_reader, program) VALUES ($1, $2, $3, $4)',
      [number, name, leastReader, productVersion],
    )
  }
  await connection.query('COMMIT')
}

async function mayNot(
  connection: PoolClient,
  schema: string,
  migrations: readonly Migration[],
  cause: unknown,
) {
  const { rows } = await connection.query<{ role: string }>('SELECT current_user AS role')
  const { number } = await appliedIn(connection, schema).catch(() => ({ number: 'one that cannot be read' }))
  return new Error(
    `The schema of the store is at ${number}, this program needs ${migrations.length}, and the role ${rows[0]!.role} may not change it. Run "npm run store -- migrate" with the STORE of the role that owns it.`,
    { cause },
  )
}
