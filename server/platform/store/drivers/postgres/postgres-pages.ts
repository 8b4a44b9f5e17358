import type { Clock, Entry } from '#server/platform/store/store.ts'
import type { Row, Statement } from './postgres-pool.ts'

/** When appended to a prefix, it sorts after every key with that prefix: no character is higher in byte order. */
const afterEveryKey = '\u{10ffff}'

/** Runs a statement on any connection. */
export type Query = (
  statement: Statement,
  values: readonly unknown[],
) => Promise<{ readonly rows: readonly Row[] }>

/** A prefix's entries in pages of `atOnce`, starting after the key `after` if it is not empty. */
export type Pages = (query: Query, prefix: string, after: string, atOnce: number) => AsyncGenerator<Entry[]>

/** The SQL for the current time: the server's clock, or the parameter that a test sets. */
export function nowAs(parameter: number): string {
  return `coalesce($${parameter}::float8, extract(epoch FROM statement_timestamp()) * 1000)`
}

/** The SQL condition for entries that have not expired. */
export function thereAt(parameter: number): string {
  return `(expires_at IS NULL OR expires_at > ${nowAs(parameter)})`
}

/**
 * [Note: A page goes on from its last key] Entries that exist throughout the read are returned exactly once, whatever is
 * added or removed during it.
 */
export function createPages(schema: string, now: Clock | undefined): Pages {
  const page = (name: string, comparison: '>' | '>='): Statement => ({
    name: `${schema} ${name}`,
    text: `SELECT key, value, expires_at::float8 AS "expiresAt" FROM ${schema}.entries
      WHERE key ${comparison} $1 AND key < $2 AND ${thereAt(3)} ORDER BY key LIMIT $4`,
  })
  const [firstPage, nextPage] = [page('first page', '>='), page('next page', '>')]

  return async function* pages(query, prefix, after, atOnce) {
    const end = prefix + afterEveryKey
    const isBefore = after < prefix || after === ''
    let [statement, from] = isBefore ? [firstPage, prefix] : [nextPage, after]
    for (let full = true; full; ) {
      const { rows } = await query(statement, [from, end, now?.() ?? null, atOnce])
      full = rows.length === atOnce
      if (rows.length === 0) return
      yield rows.map(entryOf)
      ;[statement, from] = [nextPage, rows.at(-1)!.key as string]
    }
  }
}

function entryOf({ key, value, expiresAt }: Row): Entry {
  return {
    key: key as string,
    value: value as Buffer,
    expiresAt: (expiresAt as number | null) ?? undefined,
  }
}
