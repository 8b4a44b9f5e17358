import type { Query } from '#server/platform/store/drivers/postgres/postgres-pages.ts'
import type { Row, Statement } from '#server/platform/store/drivers/postgres/postgres-pool.ts'
import type { Frame, FrameKind } from './segments.ts'

/** A page is limited by bytes and by count, because most frames contain one entry and some a thousand. */
const fewestFrames = 32
const mostFrames = 512
const mostPageBytes = 2 ** 20

export const frameColumns = 'first::float8, last::float8, id::float8, kind, time::float8, content'

/** A frame with its number in the table. */
export interface NumberedFrame extends Frame {
  readonly id: number
}

/** Selects an account's frames. SQL, with the sequence as `$2`. */
export type FrameCondition = 'last > $2' | 'first <= $2'

type Order = 'ASC' | 'DESC'

/**
 * Reads an account's frames, page by page. [Note: A page goes on from its last frame] Rows that are added or removed in the
 * meantime do not shift anything.
 */
export function createFramePages(query: Query, schema: string, table: string) {
  return async function* pages(
    accountId: string,
    condition: FrameCondition,
    sequence: number,
    order: Order,
  ): AsyncGenerator<readonly NumberedFrame[]> {
    const page = pageOf(schema, table, condition, order)
    const end = order === 'ASC' ? -1 : Number.MAX_SAFE_INTEGER
    let [first, id] = [end, end]
    for (let atOnce = fewestFrames; ; atOnce = Math.min(4 * atOnce, mostFrames)) {
      const { rows } = await query(page, [accountId, sequence, first, id, atOnce])
      const frames = rows.map(frameOf)
      const last = frames.at(-1)
      if (last === undefined) return
      yield frames
      ;[first, id] = [last.first, last.id]
    }
  }
}

/** The frame in a row with `frameColumns`. */
export function frameOf({ first, last, id, kind, time, content }: Row): NumberedFrame {
  return {
    kind: kind as FrameKind,
    first: Number(first),
    last: Number(last),
    time: Number(time),
    content: content as Buffer,
    id: Number(id),
  }
}

/** A page that continues after `$3` and `$4`, its last frame's place, with at most `$5` frames. */
function pageOf(schema: string, table: string, condition: FrameCondition, order: Order): Statement {
  const inOrder = `first ${order}, id ${order}`
  return {
    name: `${schema} frames ${condition} ${order}`,
    text: `SELECT ${frameColumns} FROM (
        SELECT *, sum(octet_length(content)) OVER (ORDER BY ${inOrder}) - octet_length(content) AS bytes_before FROM (
          SELECT * FROM ${table}
            WHERE account = $1 AND ${condition} AND (first, id) ${order === 'ASC' ? '>' : '<'} ($3::bigint, $4::bigint)
            ORDER BY ${inOrder} LIMIT $5) AS page) AS measured
      WHERE bytes_before < ${mostPageBytes} ORDER BY ${inOrder}`,
  }
}
