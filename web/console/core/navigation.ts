import { type ReadonlySignal, signal } from '@preact/signals'
import { type Address, readAddress, writeAddress } from './address.ts'

/** Options for one navigation. */
interface NavigationOptions {
  /** Replaces the history entry, so that typing a filter does not add one entry per letter. */
  readonly isReplaced?: boolean
  /** Skips the confirmation, because the draft is no longer needed or the person has already confirmed. */
  readonly isForced?: boolean
}

/** The console's current address, and navigation. */
export interface Navigation {
  readonly address: ReadonlySignal<Address>
  /** Navigates, unless a guard for unsaved changes keeps the person here. */
  go(to: Parameters<typeof writeAddress>[0], options?: NavigationOptions): void
  /** Registers a guard that is asked before the view changes. Returns a function that removes the guard. */
  hold(ask: () => boolean): () => void
  /** Asks the registered guards. */
  mayLeave(): boolean
}

/** Keeps the navigation in sync with a window's address bar. */
export function createNavigation(page: Window): Navigation {
  const read = () => readAddress(page.location.pathname, page.location.search)
  const address = signal(read())
  const holds = new Set<() => boolean>()
  const mayLeave = () => [...holds].every((ask) => ask())
  const isElsewhere = (to: Pick<Address, 'page'> & Partial<Address>) => viewOf(to) !== viewOf(address.peek())
  page.addEventListener('popstate', () => {
    const next = read()
    if (!isElsewhere(next) || mayLeave()) address.value = next
    else page.history.pushState(null, '', writeAddress(address.peek()))
  })
  return {
    address,
    mayLeave,
    hold(ask) {
      const own = () => ask()
      holds.add(own)
      return () => void holds.delete(own)
    },
    go(to, { isReplaced = false, isForced = false } = {}) {
      if (!isForced && isElsewhere(to) && !mayLeave()) return
      const next = writeAddress(to)
      if (isReplaced) page.history.replaceState(null, '', next)
      else page.history.pushState(null, '', next)
      address.value = read()
    },
  }
}

/** Identifies a view. If only the query changes, unsaved input is kept. */
function viewOf({ page, parts = [] }: Pick<Address, 'page'> & Partial<Address>): string {
  return writeAddress({ page, parts })
}
