import type { Query } from '#server/platform/store/drivers/postgres/postgres-pages.ts'
import { stateOf } from '#server/platform/store/drivers/postgres/postgres-refusals.ts'
import type { PostgresRows } from '#server/platform/store/drivers/postgres/postgres-rows.ts'
import type { ArchivePlace, ArchiveSource } from './archive-place.ts'

const partBytes = 2 ** 20
const uniqueViolation = '23505'
/** Verifying an archive keeps its transaction idle for less time than this. */
const restsForMilliseconds = 600_000

/** Stores archives in a table, in parts. A single transaction writes the whole archive, verifies it, and commits. */
export function createRowArchives({ pool, schema, transaction }: PostgresRows): ArchivePlace {
  const table = `${schema}.audit_archives`
  const rest = {
    name: `${schema} prove archive`,
    text: `SET LOCAL idle_in_transaction_session_timeout = ${restsForMilliseconds}`,
  }
  const add = {
    name: `${schema} add to archive`,
    text: `INSERT INTO ${table} (name, part, bytes) VALUES ($1, $2, $3)`,
  }
  const one = {
    name: `${schema} read archive`,
    text: `SELECT bytes FROM ${table} WHERE name = $1 AND part = $2`,
  }
  const names = {
    name: `${schema} archives`,
    text: `SELECT name FROM ${table} WHERE part = 0 ORDER BY name`,
  }
  const removeAll = { name: `${schema} remove archive`, text: `DELETE FROM ${table} WHERE name = $1` }

  const sourceOf = (name: string, query: Query): ArchiveSource => ({
    called: `archive ${name} of the database`,
    async *read() {
      for (let part = 0; ; part++) {
        const [row] = (await query(one, [name, part])).rows
        if (row === undefined && part === 0) throw new Error(`The archive ${name} is not in the database.`)
        if (row === undefined) return
        yield row.bytes as Buffer
      }
    },
  })

  async function write(query: Query, name: string, content: AsyncIterable<Buffer>): Promise<void> {
    let part = 0
    for await (const bytes of partsOf(content)) await query(add, [name, part++, bytes])
  }

  return {
    names: async () => (await pool.query(names)).rows.map(({ name }) => String(name)),
    source: (name) => sourceOf(name, pool.query),
    put: (name, content, prove) =>
      transaction(async (query) => {
        await query(rest, [])
        await write(query, name, content).catch((error: unknown) => {
          if (stateOf(error) !== uniqueViolation) throw error
          throw new Error(`The archive ${name} was made at the same time. Nothing was cut: run it again.`, {
            cause: error,
          })
        })
        await prove(sourceOf(name, query))
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
