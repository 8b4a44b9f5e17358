import { unlessRefused } from '#web/ui/unless-refused.ts'

/** The part of a storage that is used. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

interface TabPage {
  readonly sessionStorage: Shelf
  readonly history?: Pick<History, 'state' | 'replaceState'>
}

/**
 * The storage of this tab. [Note: Storage may be refused, or full] What does not stay in it is kept with the page's entry in the history, which
 * outlives a reload as well; and in memory, where even that is refused.
 */
export function tabShelf(page: TabPage): Shelf {
  const storage = unlessRefused(() => page.sessionStorage)
  const spare = entryShelf(page.history)
  if (storage === undefined) return spare
  const read = (key: string) => unlessRefused(() => storage.getItem(key))
  return {
    getItem: (key) => spare.getItem(key) ?? read(key) ?? null,
    setItem(key, value) {
      unlessRefused(() => storage.setItem(key, value))
      if (read(key) === value) spare.removeItem(key)
      else spare.setItem(key, value)
    },
    removeItem(key) {
      unlessRefused(() => storage.removeItem(key))
      spare.removeItem(key)
    },
  }
}

/** True if the browser has a storage for this tab. */
export function outlivesReload(page: TabPage): boolean {
  return unlessRefused(() => page.sessionStorage) !== undefined
}

type Kept = Readonly<Record<string, string>>

/** Keeps things in the state of the page's entry in the history. */
function entryShelf(history: TabPage['history']): Shelf {
  let memory: Kept = {}
  const read = (): Kept => unlessRefused(() => (history?.state as { kept?: Kept } | null)?.kept) ?? memory
  const write = (kept: Kept) => {
    memory = kept
    unlessRefused(() => history?.replaceState({ ...history.state, kept }, ''))
  }
  return {
    getItem: (key) => read()[key] ?? null,
    setItem: (key, value) => write({ ...read(), [key]: value }),
    removeItem(key) {
      const { [key]: gone, ...others } = read()
      if (gone !== undefined) write(others)
    },
  }
}
