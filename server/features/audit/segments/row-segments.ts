import type { Statement } from '#server/platform/store/drivers/postgres/postgres-pool.ts'
import type { PostgresRows } from '#server/platform/store/drivers/postgres/postgres-rows.ts'
import { createFramePages, type FrameCondition, frameColumns, frameOf } from './frame-pages.ts'
import { partBeyond, partUpTo } from './partial-frame.ts'
import { requireRightToCut } from './row-rights.ts'
import type { AuditSegments, Frame } from './segments.ts'

const mostAppendFrames = 512
const mostAppendBytes = 4 * 2 ** 20

/**
 * Stores segments in a table that all of a deployment's processes read. [Note: Rows are added and read] The servers' role may
 * insert and select rows. Only the role that owns the table removes any, for an archive or a restore, so a stolen password
 * for the servers' role is not enough to shorten a log.
 */
export function createRowSegments(rows: PostgresRows): AuditSegments {
  const { pool, schema } = rows
  const table = `${schema}.audit_frames`
  const { add, erase, oldest, accounts } = statementsOf(schema, table)
  const pages = createFramePages(pool.query, schema, table)

  async function append(accountId: string, frames: readonly Frame[]): Promise<void> {
    for (const lot of lotsOf(frames)) {
      const columns = (['first', 'last', 'kind', 'time', 'content'] as const).map((name) =>
        lot.map((frame) => frame[name]),
      )
      await pool.query(add, [accountId, ...columns])
    }
  }

  /** Adds a frame's remaining part before removing the frame, so that a killed run can be repeated. */
  async function keep(
    accountId: string,
    [condition, sequence]: readonly [FrameCondition, number],
    stays: (frame: Frame) => Frame | undefined,
  ): Promise<void> {
    for await (const frames of pages(accountId, condition, sequence, 'ASC')) {
      const parts = frames
        .map((frame) => ({ frame, part: stays(frame) }))
        .filter(({ frame, part }) => part !== frame)
      await append(
        accountId,
        parts.flatMap(({ part }) => part ?? []),
      )
      await pool.query(erase, [
        accountId,
        parts.map(({ frame }) => frame.first),
        parts.map(({ frame }) => frame.id),
      ])
    }
  }

  return {
    append,
    async *ascending(accountId, after) {
      for await (const frames of pages(accountId, 'last > $2', after, 'ASC')) yield* frames
    },
    async *descending(accountId, upTo) {
      for await (const frames of pages(accountId, 'first <= $2', upTo, 'DESC')) yield* frames
    },
    async oldest(accountId) {
      const [row] = (await pool.query(oldest, [accountId])).rows
      return row && frameOf(row)
    },
    requireCut: () => requireRightToCut(rows),
    cut: (accountId, through, split) =>
      keep(accountId, ['first <= $2', through], (frame) => partBeyond(frame, through, split)),
    trim: (accountId, through, split) =>
      keep(accountId, ['last > $2', through], (frame) => partUpTo(frame, through, split)),
    accounts: async () => (await pool.query(accounts)).rows.map(({ account }) => String(account)),
  }
}

function statementsOf(schema: string, table: string) {
  return {
    /** [Note: Added once] A process that lost the connection before the answer adds the same frames again. */
    add: {
      name: `${schema} add frames`,
      text: `INSERT INTO ${table} (account, first, last, kind, time, content)
        SELECT $1, first, last, kind, time, content
        FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bytea[])
          WITH ORDINALITY AS added (first, last, kind, time, content, place)
        WHERE NOT EXISTS (SELECT 1 FROM ${table} AS kept WHERE kept.account = $1 AND kept.first = added.first
          AND kept.last = added.last AND kept.kind = added.kind AND kept.content = added.content)
        ORDER BY place`,
    },
    erase: {
      name: `${schema} remove frames`,
      text: `DELETE FROM ${table} USING unnest($2::bigint[], $3::bigint[]) AS removed (first, id)
        WHERE account = $1 AND ${table}.first = removed.first AND ${table}.id = removed.id`,
    },
    oldest: {
      name: `${schema} oldest frame`,
      text: `SELECT ${frameColumns} FROM ${table} WHERE account = $1 AND kind = 'entries' ORDER BY first, id LIMIT 1`,
    },
    /** Skips from one account to the next in the index, because there are few accounts and many frames. */
    accounts: {
      name: `${schema} accounts of frames`,
      text: `WITH RECURSIVE found AS (
        (SELECT account FROM ${table} ORDER BY account LIMIT 1)
        UNION ALL
        SELECT (SELECT account FROM ${table} WHERE account > found.account ORDER BY account LIMIT 1)
          FROM found WHERE account IS NOT NULL)
        SELECT account FROM found WHERE account IS NOT NULL`,
    },
  } satisfies Record<string, Statement>
}

/** Groups frames into batches for one statement, each as large as allowed, with at least one frame. */
function* lotsOf(frames: readonly Frame[]): Generator<Frame[]> {
  let lot: Frame[] = []
  let bytes = 0
  for (const frame of frames) {
    if (
      lot.length > 0 &&
      (lot.length === mostAppendFrames || bytes + frame.content.length > mostAppendBytes)
    ) {
      yield lot
      lot = []
      bytes = 0
    }
    lot.push(frame)
    bytes += frame.content.length
  }
  if (lot.length > 0) yield lot
}
