import { useEffect, useRef, useState } from 'preact/hooks'
import { useMe } from './console-context.ts'
import { type ActionState, type LoadState, useDoing, useLoaded } from './use-loaded.ts'

/** Loads data for the current account and environment. Reloads if either of them or any of `parts` changes; waits while `parts` is null. */
export function useAccountData<T>(
  load: () => Promise<T>,
  parts: readonly unknown[] | null = [],
): LoadState<T> {
  const key = useAccountKey(parts ?? [])
  return useLoaded(parts === null ? null : key, load)
}

/** Identifies the data and account being shown, so that one account's list is never continued with another's. */
export function useAccountKey(parts: readonly unknown[] = []): string {
  const { accountId, environment } = useMe()
  return JSON.stringify([accountId, environment, ...parts])
}

/** A list that is loaded page by page. */
export interface Pages<Page, Row> {
  readonly found: LoadState<Page>
  readonly doing: ActionState
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  showMore(): Promise<void>
  /** Goes back to the first page. */
  forget(): void
}

/** One page: its rows, and the next page's cursor if there is one. */
interface PageOf<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
}

/** The loaded rows, along with the key they belong to. */
interface ListedRows<Row> extends PageOf<Row> {
  readonly key: string
}

/**
 * Reloads the first page like `useAccountData`. New rows at the top do not push loaded rows out of the list:
 * rows are identified by their ids and stay until the key changes.
 */
export function usePages<Page, Row>(
  ask: (cursor?: string) => Promise<Page>,
  read: (page: Page) => PageOf<Row>,
  idOf: (row: Row) => string,
  parts: readonly unknown[] | null = [],
): Pages<Page, Row> {
  const key = useAccountKey(parts ?? [])
  const found = useLoaded(parts === null ? null : key, () => ask())
  const doing = useDoing()
  const [listed, setListed] = useState<ListedRows<Row>>()
  const current = useRef(key)
  current.current = key
  const first = found.value === undefined ? undefined : read(found.value)
  const now = listed?.key === key ? listed : undefined
  const whole = first === undefined ? now : withFirst(now, first, idOf)
  useEffect(() => {
    // From here on, changes below the first page are known as well.
    if (now !== undefined && whole !== undefined)
      setListed((before) => (before === now ? { key, ...whole } : before))
  }, [found.value])
  return {
    found,
    doing,
    rows: whole?.rows ?? [],
    hasMore: whole !== undefined && whole.next !== null,
    forget: () => setListed(undefined),
    showMore: () =>
      doing.run(async () => {
        if (whole === undefined || whole.next === null) return
        const page = read(await ask(whole.next))
        if (current.current !== key) return
        setListed((before) => {
          const until = before?.key === key ? before : whole
          // The list has been restarted in the meantime, so this page does not continue it.
          if (until.next !== whole.next) return before
          return { key, rows: withRows(until.rows, page.rows, idOf), next: page.next }
        })
      }),
  }
}

/** Puts a fresh first page above the loaded rows. If they do not overlap, the rows in between are missing, so the list restarts. */
function withFirst<Row>(
  listed: PageOf<Row> | undefined,
  first: PageOf<Row>,
  idOf: (row: Row) => string,
): PageOf<Row> {
  const fresh = new Set(first.rows.map(idOf))
  const end = listed?.rows.findLastIndex((row) => fresh.has(idOf(row))) ?? -1
  if (listed === undefined || end === -1 || first.next === null) return first
  // Rows that should be on the first page but are not there have been removed.
  return { rows: withRows(first.rows, listed.rows.slice(end + 1), idOf), next: listed.next }
}

/** Concatenates rows and drops duplicates. */
function withRows<Row>(rows: readonly Row[], below: readonly Row[], idOf: (row: Row) => string): Row[] {
  const known = new Set(rows.map(idOf))
  return [...rows, ...below.filter((row) => !known.has(idOf(row)))]
}
