import type { PoolClient } from 'pg'
import type { Row } from '#server/platform/store/drivers/postgres/postgres-pool.ts'
import { stateOf } from '#server/platform/store/drivers/postgres/postgres-refusals.ts'
import type { PostgresRows } from '#server/platform/store/drivers/postgres/postgres-rows.ts'
import type { ArchivePlace, ArchiveSource } from './archive-place.ts'

const partBytes = 2 ** 20
const uniqueViolation = '23505'
/** Proving an archive leaves its transaction at rest for no longer. */
const restsForMilliseconds = 600_000

type ReadPart = (values: unknown[]) => Promise<{ readonly rows: readonly Row[] }>

/** Keeps archives in a table, in parts: a transaction writes all of an archive, proves it, and commits. */
export function createRowArchives({ pool, schema, transaction }: PostgresRows): ArchivePlace {
  const table = `${schema}.audit_archives`

  const one = {
    name: `${schema} read archive`,
    text: `SELECT bytes FROM ${table} WHERE name = $1 AND part = $2`,
  }
  const names = {
    name: `${schema} archives`,
    text: `SELECT name FROM ${table} WHERE part = 0 ORDER BY name`,
  }
  const removeAll = { name: `${schema} remove archive`, text: `DELETE FROM ${table} WHERE name = $1` }

  const sourceOf = (name: string, readPart: ReadPart): ArchiveSource => ({
    called: `archive ${name} of the database`,
    async *read() {
      for (let part = 0; ; part++) {
        const { rows } = await readPart([name, part])
        if (rows.length === 0 && part === 0) throw new Error(`There is no archive ${name} in the database.`)
        if (rows.length === 0) return
        yield rows[0]!.bytes as Buffer
      }
    },
  })

  async function write(connection: PoolClient, name: string, content: AsyncIterable<Buffer>): Promise<void> {
    let part = 0
    for await (const bytes of partsOf(content))
      await connection.query(`INSERT INTO ${table} (name, part, bytes) VALUES ($1, $2, $3)`, [
        name,
        part++,
        bytes,
      ])
  }

  return {
    names: async () => (await pool.query(names)).rows.map(({ name }) => String(name)),
    source: (name) => sourceOf(name, (values) => pool.query(one, values)),
    put: (name, content, prove) =>
      transaction(async (connection) => {
        await connection.query(`SET LOCAL idle_in_transaction_session_timeout = ${restsForMilliseconds}`)
        await write(connection, name, content).catch((error: unknown) => {
          if (stateOf(error) !== uniqueViolation) throw error
          throw new Error(`The archive ${name} was made meanwhile. Nothing was cut: run it again.`, {
            cause: error,
          })
        })
        await prove(sourceOf(name, (values) => connection.query<Row>({ ...one, values })))
      }),
    sync: async () => undefined,
    async remove(name) {
      await pool.query(removeAll, [name])
    },
  }
}

async function* partsOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let part: Buffer[] = []
  let bytes = 0
  for await (const piece of content) {
    part.push(piece)
    bytes += piece.length
    if (bytes < partBytes) continue
    yield Buffer.concat(part)
    part = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(part)
}
