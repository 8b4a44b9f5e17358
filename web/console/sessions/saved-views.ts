import * as v from 'valibot'
import { unlessRefused } from '#web/ui/unless-refused.ts'

/** A named view of the list, which consists of the address query. */
export interface SavedView {
  readonly name: string
  readonly query: Readonly<Record<string, string>>
}

const place = 'console-views'
const most = 30
const stored = v.record(
  v.string(),
  v.array(v.object({ name: v.string(), query: v.record(v.string(), v.string()) })),
)

/**
 * An account's views. [Note: A view is an address] Views are stored in their author's browser and shared as links, so they need no
 * permission, no server record and no erasure. Invalid entries in the storage are ignored.
 */
export function readViews(storage: Pick<Storage, 'getItem'>, accountId: string): readonly SavedView[] {
  return everyView(storage)[accountId] ?? []
}

/** Adds a view, or replaces the one that has the same name. */
export function saveView(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  accountId: string,
  view: SavedView,
): readonly SavedView[] {
  const others = readViews(storage, accountId).filter(({ name }) => name !== view.name)
  return write(storage, accountId, [...others, view].slice(-most))
}

export function removeView(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  accountId: string,
  name: string,
): readonly SavedView[] {
  const left = readViews(storage, accountId).filter((view) => view.name !== name)
  return write(storage, accountId, left)
}

/** True if the query shows this view, regardless of parameter order. */
export function shows({ query }: SavedView, shown: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(shown)
  return names.length === Object.keys(query).length && names.every((name) => query[name] === shown[name])
}

function everyView(storage: Pick<Storage, 'getItem'>): Readonly<Record<string, readonly SavedView[]>> {
  const read = v.safeParse(
    stored,
    unlessRefused(() => JSON.parse(storage.getItem(place) ?? '{}')),
  )
  return read.success ? read.output : {}
}

function write(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  accountId: string,
  views: readonly SavedView[],
): readonly SavedView[] {
  // If the browser refuses to store the view, it lasts until the page is closed.
  unlessRefused(() => storage.setItem(place, JSON.stringify({ ...everyView(storage), [accountId]: views })))
  return views
}
