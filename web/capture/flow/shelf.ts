import { unlessRefused } from '#web/ui/unless-refused.ts'

/** The part of a storage that is used. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The storage of this tab, or one in memory if the browser denies access, as in some third-party frames. Data that
 * a reload needs then stays in the address.
 */
export function tabShelf(page: { readonly sessionStorage: Shelf }): Shelf {
  return unlessRefused(() => page.sessionStorage) ?? memoryShelf()
}

/** True if stored values survive a reload. */
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
