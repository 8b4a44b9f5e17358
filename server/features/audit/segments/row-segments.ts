import type { Statement } from '#server/platform/store/drivers/postgres/postgres-pool.ts'
import type { PostgresRows } from '#server/platform/store/drivers/postgres/postgres-rows.ts'
import { partBeyond, partUpTo } from './partial-frame.ts'
import type { AuditSegments, Frame } from './segments.ts'

/** A page of frames is bounded both ways: most frames hold one entry, some hold a thousand. */
const fewestFrames = 32
const mostFrames = 512
const mostPageBytes = 2 ** 20
const mostAppendBytes = 4 * 2 ** 20

/** A frame with the number that it has in the table. */
interface NumberedFrame extends Frame {
  readonly id: number
}

/** Which frames of an account are read. SQL, with the sequence as `$2`. */
type Condition = 'last > $2' | 'first <= $2'

/**
 * Keeps segments in a table that every process of a deployment reads. [Note: Rows are added and read] The role of the servers may insert and select them. Only
 * the role that owns the table removes any, for an archive or a restore: a thief of the servers' role cannot shorten a log.
 */
export function createRowSegments({ pool, schema }: PostgresRows): AuditSegments {
  const table = `${schema}.audit_frames`
  const { add, erase, oldest, accounts, rights } = statementsOf(schema, table)

  async function* pages(accountId: string, condition: Condition, sequence: number, order: 'ASC' | 'DESC') {
    const page = pageOf(schema, table, condition, order)
    let [first, id] = order === 'ASC' ? [-1, -1] : [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    for (let atOnce = fewestFrames; ; atOnce = Math.min(4 * atOnce, mostFrames)) {
      const { rows } = await pool.query(page, [accountId, sequence, first, id, atOnce])
      const last = rows.at(-1)
      if (last === undefined) return
      yield rows as unknown as NumberedFrame[]
      ;[first, id] = [last.first as number, last.id as number]
    }
  }

  async function append(accountId: string, frames: readonly Frame[]): Promise<void> {
    for (const lot of lotsOf(frames)) {
      const columns = (['first', 'last', 'kind', 'time', 'content'] as const).map((name) =>
        lot.map((frame) => frame[name]),
      )
      await pool.query(add, [accountId, ...columns])
    }
  }

  /** The part that stays of a frame is added before the frame is removed: a run that is killed can be repeated. */
  async function keep(
    accountId: string,
    [condition, sequence]: readonly [Condition, number],
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
    oldest: async (accountId) => (await pool.query(oldest, [accountId])).rows[0] as Frame | undefined,
    async requireCut() {
      const { role, may } = (await pool.query(rights)).rows[0]!
      if (may !== true)
        throw new Error(
          `The role ${String(role)} may not remove audit rows. Run this with the STORE of the role that owns the tables.`,
        )
    },
    cut: (accountId, through, split) =>
      keep(accountId, ['first <= $2', through], (frame) => partBeyond(frame, through, split)),
    trim: (accountId, through, split) =>
      keep(accountId, ['last > $2', through], (frame) => partUpTo(frame, through, split)),
    accounts: async () => (await pool.query(accounts)).rows.map(({ account }) => String(account)),
  }
}

const columns = 'first::float8, last::float8, id::float8, kind, time::float8, content'

/** A page that goes on behind `$3` and `$4`, the place of its last frame, with `$5` frames at most. */
function pageOf(schema: string, table: string, condition: Condition, order: 'ASC' | 'DESC'): Statement {
  const inOrder = `first ${order}, id ${order}`
  return {
    name: `${schema} frames ${condition} ${order}`,
    text: `SELECT ${columns} FROM (
        SELECT *, sum(octet_length(content)) OVER (ORDER BY ${inOrder}) - octet_length(content) AS bytes_before FROM (
          SELECT * FROM ${table}
            WHERE account = $1 AND ${condition} AND (first, id) ${order === 'ASC' ? '>' : '<'} ($3::bigint, $4::bigint)
            ORDER BY ${inOrder} LIMIT $5) AS page) AS measured
      WHERE bytes_before < ${mostPageBytes} ORDER BY ${inOrder}`,
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
      text: `SELECT ${columns} FROM ${table} WHERE account = $1 AND kind = 'entries' ORDER BY first, id LIMIT 1`,
    },
    /** From one account to the next in the index: there are few accounts and many frames. */
    accounts: {
      name: `${schema} accounts of frames`,
      text: `WITH RECURSIVE found AS (
        (SELECT account FROM ${table} ORDER BY account LIMIT 1)
        UNION ALL
        SELECT (SELECT account FROM ${table} WHERE account > found.account ORDER BY account LIMIT 1)
          FROM found WHERE account IS NOT NULL)
        SELECT account FROM found WHERE account IS NOT NULL`,
    },
    rights: {
      name: `${schema} rights to frames`,
      text: `SELECT current_user AS role, has_table_privilege('${table}', 'DELETE') AS may`,
    },
  } satisfies Record<string, Statement>
}

/** Frames in lots that one statement takes, each as large as it may be, with at least one frame. */
function* lotsOf(frames: readonly Frame[]): Generator<Frame[]> {
  let lot: Frame[] = []
  let bytes = 0
  for (const frame of frames) {
    if (lot.length > 0 && (lot.length === mostFrames || bytes + frame.content.length > mostAppendBytes)) {
      yield lot
      lot = []
      bytes = 0
    }
    lot.push(frame)
    bytes += frame.content.length
  }
  if (lot.length > 0) yield lot
}
