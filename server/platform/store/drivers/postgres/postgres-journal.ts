import { setTimeout as pause } from 'node:timers/promises'
import type { JournalPlace } from '#server/platform/store/records/journal-place.ts'
import { isGivenUp, isLost, meaningOf } from './postgres-refusals.ts'
import type { PostgresRows } from './postgres-rows.ts'

const linesAtOnce = 500
/** How long to retry an append after its answer was lost. */
const triedForMilliseconds = 10_000
const triedAgainAfterMilliseconds = 200
const lineFeed = /\n$/

/**
 * Keeps a journal in a table that every process adds to. [Note: Numbers follow commits closely enough] A line gets its
 * number after the change it records was committed. So a backup that first reads the last line and then takes its snapshot
 * contains every change with a lower line number.
 */
export function createPostgresJournal({ pool, schema }: PostgresRows): JournalPlace {
  const add = {
    name: `${schema} add to journal`,
    text: `INSERT INTO ${schema}.journal (line)
      SELECT line FROM unnest($1::bytea[]) WITH ORDINALITY AS added (line, place) ORDER BY place`,
  }
  const page = {
    name: `${schema} read journal`,
    text: `SELECT id, line FROM ${schema}.journal WHERE id > $1::bigint ORDER BY id LIMIT ${linesAtOnce}`,
  }

  async function* lines() {
    for (let after = '0', isMore = true; isMore; ) {
      const { rows } = await pool.query(page, [after])
      for (const { line } of rows) yield { line: line as Buffer, hasEnd: true }
      after = String(rows.at(-1)?.id ?? after)
      isMore = rows.length === linesAtOnce
    }
  }

  return {
    name: 'the database',
    exists: async () => true,
    lines,
    /**
     * [Note: Tried again] The recorded change has already been committed. If its line is stored twice, a restore repeats the
     * change twice, with the same result.
     */
    async append(entries) {
      const values = [entries.map(withoutEnd)]
      for (const until = Date.now() + triedForMilliseconds; ; ) {
        try {
          await pool.rawQuery(add, values)
          return
        } catch (error) {
          if (Date.now() > until || !(isLost(error) || isGivenUp(error))) throw meaningOf(error)
        }
        await pause(triedAgainAfterMilliseconds)
      }
    },
  }
}

function withoutEnd(entry: Buffer): Buffer {
  return Buffer.from(entry.toString('latin1').replace(lineFeed, ''), 'latin1')
}
