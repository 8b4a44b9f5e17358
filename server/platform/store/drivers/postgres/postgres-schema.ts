import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PoolClient, QueryConfig } from 'pg'
import { productVersion } from '#server/platform/running/product-version.ts'
import { stateOf } from './postgres-refusals.ts'

/** A step of the schema, from a file `001-entries.sql`. What has been applied somewhere never changes. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  /** The least newest migration that a program must know to work on a schema that has this one. */
  readonly leastReader: number
}

const leastVersion = 15
/** The lock under which one program at a time changes the schema. */
const migrationLock = 7_365_101
const migratesForMilliseconds = 600_000

/** Beside this file; in the folder of the built server, where this stands in one of its parts. */
function ownFolder(): string {
  const here = fileURLToPath(new URL('.', import.meta.url))
  return [join(here, 'migrations'), join(here, '../migrations')].find(existsSync) ?? join(here, 'migrations')
}

/** @throws where a file says nothing of its least reader, or numbers have a gap */
export function readMigrations(folder = ownFolder()): readonly Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return names.map((file, i) => {
    const sql = readFileSync(join(folder, file), 'utf8')
    const [, number, name] = /^(\d{3})-([\w-]+)\.sql$/.exec(file) ?? []
    const leastReader = /^-- least reader: (\d+)$/m.exec(sql)?.[1]
    if (Number(number) !== i + 1 || leastReader === undefined)
      throw new Error(`The migration ${file} is out of its turn, or says nothing of its least reader.`)
    return { number: i + 1, name: name!, sql, leastReader: Number(leastReader) }
  })
}

/** The schema of a deployment, as SQL has it: regions do not meet on one server. */
export function schemaOf(tag: string): string {
  return `"selfsame_${tag.toLowerCase().replace(/[^a-z0-9]/g, '_')}"`
}

/**
 * Sees that the server is one to work with, and brings the schema up to this program, forward only. Processes that start at once do it
 * one after the other.
 * @throws in words: the server is too old, only reads or has another encoding; the schema is of a later program; the role may not change it
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

/** What a server says of itself. */
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

/** Why a server is not one to work with, in words; undefined where it is. */
export function refusalOfServer({ version, encoding, reads }: Server): string | undefined {
  if (Number.parseInt(version, 10) < leastVersion)
    return `The PostgreSQL server is of version ${version}: ${leastVersion} is the least that will do.`
  if (encoding !== 'UTF8')
    return `The database that STORE names is encoded as ${encoding}: make one with ENCODING 'UTF8'.`
  if (reads === 'on')
    return 'The PostgreSQL server that STORE names only reads: it is a replica, or was set to. Name the primary.'
  return undefined
}

/** @throws where the schema is of a later program */
async function isBehind(connection: PoolClient, schema: string, migrations: readonly Migration[]) {
  const newest = migrations.length
  const applied = await appliedIn(connection, schema)
  if (applied.leastReader > newest)
    throw new Error(
      `The schema of the store is at ${applied.number}, which Selfsame ${applied.program} made and which takes a program that knows ${applied.leastReader}. This is ${productVersion}, which knows ${newest}: start the later program, or restore a backup from before the upgrade.`,
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
  // Asked for first: to make one only where there is none takes the right to make one all the same.
  if (!rows[0]!.there) await connection.query(`CREATE SCHEMA ${schema}`)
  await connection.query(`SET LOCAL search_path = ${schema}, pg_temp`)
  await connection.query(`CREATE TABLE IF NOT EXISTS migrations (
    number integer PRIMARY KEY, name text NOT NULL, least_reader integer NOT NULL,
    program text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
  const { number: from } = await appliedIn(connection, schema)
  for (const { number, name, sql, leastReader } of migrations.slice(from)) {
    // What the pool gives any other statement is too little for a table of millions.
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
