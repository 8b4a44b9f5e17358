import { type ReadonlySignal, signal } from '@preact/signals'
import { type Address, readAddress, writeAddress } from './address.ts'

/** Where the console is, and how it goes elsewhere. */
export interface Navigation {
  readonly address: ReadonlySignal<Address>
  /** A new step back, unless `isReplaced`: filters that are typed leave no trace of each letter. */
  go(to: Parameters<typeof writeAddress>[0], options?: { isReplaced?: boolean }): void
}

/** Follows the address bar of a window, and leads it. */
export function createNavigation(page: Window): Navigation {
  const read = () => readAddress(page.location.pathname, page.location.search)
  const address = signal(read())
  page.addEventListener('popstate', () => {
    address.value = read()
  })
  return {
    address,
    go(to, { isReplaced = false } = {}) {
      const next = writeAddress(to)
      if (isReplaced) page.history.replaceState(null, '', next)
      else page.history.pushState(null, '', next)
      address.value = read()
    },
  }
}
