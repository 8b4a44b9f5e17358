import { hash } from 'node:crypto'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { type RateCounter, usageOf } from '#server/platform/store/rate-counter.ts'
import { createSharedRateCounter } from '#server/platform/store/shared-rate-counter.ts'
import { WriteFailed } from '#server/platform/store/store.ts'
import type { PostgresPool, Statement } from './postgres-pool.ts'

/**
 * Counts exactly, whichever process counts: a count is one row, which grows within one statement. By digests, which name nobody.
 * [Note: Counted alone] While the server takes no writes, each process counts for itself: what is only read is still answered, and limited.
 */
export function createCounts(pool: PostgresPool, schema: string): RateCounter {
  const shared = countingIn(pool, schema)
  const alone = createSharedRateCounter({
    store: createMemoryStore(),
    now: Date.now,
    onFailure: () => undefined,
  })
  const unlessRefused = <T>(answer: Promise<T>, otherwise: () => Promise<T>) =>
    answer.catch((error: unknown) => {
      if (error instanceof WriteFailed) return otherwise()
      throw error
    })
  return {
    add: (...use) => unlessRefused(shared.add(...use), () => alone.add(...use)),
    peek: (...use) => unlessRefused(shared.peek(...use), () => alone.peek(...use)),
  }
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
