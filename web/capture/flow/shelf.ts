import { unlessRefused } from '#web/ui/unless-refused.ts'

/** What of a storage is used. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The storage of this tab; one in memory where the browser refuses even to name it, as it may in a frame of another site. What
 * a reload needs then stays in the address.
 */
export function tabShelf(page: { readonly sessionStorage: Shelf }): Shelf {
  return unlessRefused(() => page.sessionStorage) ?? memoryShelf()
}

/** Whether what is put away is there after a reload. */
export function outlivesReload(page: { readonly sessionStorage: Shelf }): boolean {
  return unlessRefused(() => page.sessionStorage) !== undefined
}

function memoryShelf(): Shelf {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}
