import { loadavg } from 'node:os'
import { median } from '#lab/statistics/quantile.ts'
import type { PostgresServer } from '../../../tests/support/programs/postgres-server.ts'
import { blocksOf, type Gallery } from '../search/gallery.ts'

const rowsOfStatement = 2000
const timedQueries = 15
/** The same planner settings as in the product's own scan. */
const scanning = [
  'SET jit = off',
  'SET parallel_tuple_cost = 0',
  'SET parallel_setup_cost = 100',
  'SET enable_indexscan = off',
]

/**
 * The p50 of a plain scan of `halfvec(512)` for the nearest face, in milliseconds including the connection. Undefined if pgvector is not installed
 * on the server's machine. The project does not use pgvector for anything else.
 */
export async function halfvecScan(
  server: PostgresServer,
  gallery: Gallery,
  size: number,
): Promise<number | undefined> {
  const [row] = await server.sql(
    `SELECT count(*) AS there FROM pg_available_extensions WHERE name = 'vector'`,
  )
  if (Number(row!.there) === 0) {
    console.log('    pgvector is not installed: no plain scan of halfvec(512) was measured')
    return undefined
  }
  await fill(server, gallery, size)
  const took: number[] = []
  for (const query of gallery.queries.slice(0, timedQueries)) {
    const started = performance.now()
    await server.sql(
      ...scanning,
      `SELECT sequence FROM bench_halfvec.faces ORDER BY embedding <#> '${written(query)}' LIMIT 1`,
    )
    took.push(performance.now() - started)
  }
  await server.sql('DROP SCHEMA bench_halfvec CASCADE', 'DROP EXTENSION vector')
  const p50 = median(took)
  console.log(
    `    pgvector, a plain scan of halfvec(512) on one server: p50 ${p50.toFixed(0)} ms; load ${loadavg()[0]!.toFixed(1)}`,
  )
  return p50
}

async function fill(server: PostgresServer, { file, length }: Gallery, size: number): Promise<void> {
  await server.sql(
    'CREATE EXTENSION IF NOT EXISTS vector',
    'CREATE SCHEMA bench_halfvec',
    `CREATE UNLOGGED TABLE bench_halfvec.faces (sequence integer, embedding halfvec(${length}))`,
    'ALTER TABLE bench_halfvec.faces ALTER COLUMN embedding SET STORAGE PLAIN',
  )
  let sequence = 0
  for await (const faces of blocksOf(file, length, size)) {
    const rows = Array.from(
      { length: faces.length / length },
      (_, i) => `(${sequence++}, '${written(faces.subarray(i * length, (i + 1) * length))}')`,
    )
    for (let start = 0; start < rows.length; start += rowsOfStatement)
      await server.sql(
        `INSERT INTO bench_halfvec.faces VALUES ${rows.slice(start, start + rowsOfStatement).join(', ')}`,
      )
  }
  await server.sql('VACUUM (ANALYZE) bench_halfvec.faces')
}

/** Half precision has three significant digits. */
function written(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toFixed(5)).join(',')}]`
}
