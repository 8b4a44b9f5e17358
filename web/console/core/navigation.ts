import { type ReadonlySignal, signal } from '@preact/signals'
import { type Address, readAddress, writeAddress } from './address.ts'

/** How the console goes elsewhere. */
interface Going {
  /** A new step back, unless so: filters that are typed leave no trace of each letter. */
  readonly isReplaced?: boolean
  /** Asks nobody: what was written is of no use any more, or somebody was asked already. */
  readonly isForced?: boolean
}

/** Where the console is, and how it goes elsewhere. */
export interface Navigation {
  readonly address: ReadonlySignal<Address>
  /** Goes there, unless somebody who is asked first stays. */
  go(to: Parameters<typeof writeAddress>[0], options?: Going): void
  /** Has `ask` answer before the view is left; until the answer is called. */
  hold(ask: () => boolean): () => void
  /** Whether the view may be left, as who wrote something on it says. */
  mayLeave(): boolean
}

/** Follows the address bar of a window, and leads it. */
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

/** What is on the page; another query of it keeps what was written there. */
function viewOf({ page, parts = [] }: Pick<Address, 'page'> & Partial<Address>): string {
  return writeAddress({ page, parts })
}
