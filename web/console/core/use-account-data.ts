import { useState } from 'preact/hooks'
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

/** The first page is asked for again as `useAccountData` does; those after it stay until the key changes. */
export function usePages<Page, Row>(
  ask: (cursor?: string) => Promise<Page>,
  read: (page: Page) => PageOf<Row>,
  parts: readonly unknown[] | null = [],
): Pages<Page, Row> {
  const key = useAccountKey(parts ?? [])
  const found = useLoaded(parts === null ? null : key, () => ask())
  const doing = useDoing()
  const [more, setMore] = useState<PageOf<Row> & { readonly key: string }>()
  const first = found.value === undefined ? { rows: [], next: null } : read(found.value)
  const older = more?.key === key ? more : { rows: [], next: first.next }
  return {
    found,
    doing,
    rows: [...first.rows, ...older.rows],
    hasMore: older.next !== null,
    forget: () => setMore(undefined),
    showMore: () =>
      doing.run(async () => {
        if (older.next === null) return
        const page = read(await ask(older.next))
        setMore({ key, rows: [...older.rows, ...page.rows], next: page.next })
      }),
  }
}
