import * as v from 'valibot'
import { unlessRefused } from '#web/ui/unless-refused.ts'

/** A view of the list that somebody gave a name: the query of its address. */
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
 * The views of an account. [Note: A view is an address] It is kept in the browser of whoever made it, and given to a colleague as a link; so it needs no right, no
 * record and no erasure. What a browser holds that is none is passed over.
 */
export function readViews(storage: Pick<Storage, 'getItem'>, accountId: string): readonly SavedView[] {
  return everyView(storage)[accountId] ?? []
}

/** Adds a view, in the place of one of its name. */
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

/** Whether a query shows this view, whatever the order of its names. */
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
  // A browser that keeps nothing shows the view until the page is left.
  unlessRefused(() => storage.setItem(place, JSON.stringify({ ...everyView(storage), [accountId]: views })))
  return views
}
