import { useEffect, useRef, useState } from 'preact/hooks'
import { useMe } from './console-context.ts'
import { type Doing, type Loaded, useDoing, useLoaded } from './use-loaded.ts'

/** What belongs to an account in its environment: asked for again when either changes, or one of `parts`. Parts of null wait. */
export function useAccountData<T>(load: () => Promise<T>, parts: readonly unknown[] | null = []): Loaded<T> {
  const key = useAccountKey(parts ?? [])
  return useLoaded(parts === null ? null : key, load)
}

/** Names what is shown of which account: a list that was begun for another one is not continued. */
export function useAccountKey(parts: readonly unknown[] = []): string {
  const { accountId, environment } = useMe()
  return JSON.stringify([accountId, environment, ...parts])
}

/** A list that comes a page at a time. */
export interface Pages<Page, Row> {
  readonly found: Loaded<Page>
  readonly doing: Doing
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  showMore(): Promise<void>
  /** Back to the first page. */
  forget(): void
}

/** One page of a list: its rows, and the cursor of the next page where there is one. */
interface PageOf<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
}

/** The rows of a list as far as it was asked for, and which question they answer. */
interface Listed<Row> extends PageOf<Row> {
  readonly key: string
}

/**
 * The first page is asked for again as `useAccountData` does, and what came above it meanwhile moves none of the other rows out of the list:
 * they stay by their ids until the key changes.
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
  const [listed, setListed] = useState<Listed<Row>>()
  const current = useRef(key)
  current.current = key
  const first = found.value === undefined ? undefined : read(found.value)
  const now = listed?.key === key ? listed : undefined
  const whole = first === undefined ? now : withFirst(now, first, idOf)
  useEffect(() => {
    // What has moved below the first page is known from here on.
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
          // A list that has begun afresh meanwhile does not go on there.
          if (until.next !== whole.next) return before
          return { key, rows: withRows(until.rows, page.rows, idOf), next: page.next }
        })
      }),
  }
}

/** A fresh first page above what was listed; where nothing of it is known, what lies between was never asked for, and the list begins afresh. */
function withFirst<Row>(
  listed: PageOf<Row> | undefined,
  first: PageOf<Row>,
  idOf: (row: Row) => string,
): PageOf<Row> {
  const fresh = new Set(first.rows.map(idOf))
  const end = listed?.rows.findLastIndex((row) => fresh.has(idOf(row))) ?? -1
  if (listed === undefined || end === -1 || first.next === null) return first
  // Within the first page's own range, what it does not have has gone.
  return { rows: withRows(first.rows, listed.rows.slice(end + 1), idOf), next: listed.next }
}

/** Rows and those below them, none twice. */
function withRows<Row>(rows: readonly Row[], below: readonly Row[], idOf: (row: Row) => string): Row[] {
  const known = new Set(rows.map(idOf))
  return [...rows, ...below.filter((row) => !known.has(idOf(row)))]
}
