import { unlessRefused } from '#web/ui/unless-refused.ts'

/** The part of the storage API that is used. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

interface TabPage {
  readonly sessionStorage: Shelf
  readonly history?: Pick<History, 'state' | 'replaceState'>
}

/**
 * This tab's storage. [Note: Storage may be refused, or full] If storing fails, values go into the page's history entry, which also
 * survives a reload, and if the browser refuses even that, into memory.
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

/** True if the browser provides storage for this tab. */
export function outlivesReload(page: TabPage): boolean {
  return unlessRefused(() => page.sessionStorage) !== undefined
}

type ShelfEntries = Readonly<Record<string, string>>

/** Stores values in the state of the page's history entry. */
function entryShelf(history: TabPage['history']): Shelf {
  let memory: ShelfEntries = {}
  const read = (): ShelfEntries =>
    unlessRefused(() => (history?.state as { kept?: ShelfEntries } | null)?.kept) ?? memory
  const write = (kept: ShelfEntries) => {
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
