import { hash } from 'node:crypto'
import { countedAloneWhereRefused } from '#server/platform/store/drivers/counted-alone.ts'
import { type RateCounter, usageOf } from '#server/platform/store/rate-counter.ts'
import type { PostgresPool, Statement } from './postgres-pool.ts'

/**
 * Counts exactly across processes: each count is one row, incremented within one statement. Keys are stored as digests that
 * do not identify a person.
 */
export function createCounts(pool: PostgresPool, schema: string): RateCounter {
  return countedAloneWhereRefused(countingIn(pool, schema))
}

const now = 'extract(epoch FROM statement_timestamp()) * 1000'

function countingIn(pool: PostgresPool, schema: string): RateCounter {
  const add: Statement = {
    name: `${schema} count`,
    text: `INSERT INTO ${schema}.counts AS open (key, uses, ends_at) VALUES ($1, $2, floor(${now} + $3::float8))
      ON CONFLICT (key) DO UPDATE SET
        uses = CASE WHEN open.ends_at <= ${now} THEN excluded.uses ELSE open.uses + excluded.uses END,
        ends_at = CASE WHEN open.ends_at <= ${now} THEN excluded.ends_at ELSE open.ends_at END
      RETURNING uses::float8 AS uses, (ends_at - ${now})::float8 AS left`,
  }
  const peek: Statement = {
    name: `${schema} counted`,
    text: `SELECT uses::float8 AS uses, (ends_at - ${now})::float8 AS left FROM ${schema}.counts
      WHERE key = $1 AND ends_at > ${now}`,
  }
  const nameOf = (key: string) => hash('sha256', key, 'base64url')
  return {
    async add(key, windowInSeconds, uses = 1) {
      const { rows } = await pool.query(add, [nameOf(key), uses, windowInSeconds * 1000])
      return usageOf(rows[0]!.uses as number, rows[0]!.left as number)
    },
    async peek(key, windowInSeconds) {
      const found = (await pool.query(peek, [nameOf(key)])).rows[0]
      return usageOf((found?.uses as number) ?? 0, (found?.left as number) ?? windowInSeconds * 1000)
    },
  }
}
