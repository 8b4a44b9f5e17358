import { randomUUID } from 'node:crypto'
import { type RateCounter, usageOf } from './rate-counter.ts'
import type { Clock, Store } from './store.ts'
import { createTable, type Table } from './tables.ts'

interface Window {
  count: number
  readonly endsAt: number
}

/** One process's counts, as the others see them. */
interface Share extends Window {
  readonly by: string
}

const mostKeys = 100_000
const sharedAfterInMilliseconds = 250
const lookedUpAfterInMilliseconds = 250

export interface SharedRateCounter extends RateCounter {
  /** Shares counts that have not been shared yet. Call it before the store closes. */
  close(): Promise<void>
}

interface Options {
  readonly store: Store
  readonly now: Clock
  readonly onFailure: (error: unknown) => void
  readonly keysAtMost?: number
}

/**
 * [Note: Counts are shared a little later] Every process counts in memory. Four times a second it writes its counts to the
 * store in one commit, and at the same rate it reads other processes' counts for a key. So requests do not wait for the
 * disk, but a limit may be exceeded by the requests that other processes admit within half a second. If there are too many
 * keys, the oldest windows are dropped, so a flood of keys uses bounded memory and causes no refusals.
 */
export function createSharedRateCounter(options: Options): SharedRateCounter {
  const { store, now, onFailure, keysAtMost = mostKeys } = options
  const shares = createTable<Share>(store, 'rate-share')
  const by = randomUUID()
  const windows = createWindows(now, keysAtMost)
  const elsewhere = lookingElsewhere(shares, by, now, keysAtMost)
  const unshared = new Set<string>()
  let sharing: NodeJS.Timeout | undefined

  function shareSoon(key: string): void {
    unshared.add(key)
    sharing ??= setTimeout(() => void share().catch(onFailure), sharedAfterInMilliseconds).unref()
  }

  async function share(): Promise<void> {
    clearTimeout(sharing)
    sharing = undefined
    const writes = [...unshared].flatMap((key) => {
      const window = windows.find(key)
      return window === undefined
        ? []
        : [shares.write(key, by, { by, ...window }, (window.endsAt - now()) / 1000)]
    })
    unshared.clear()
    if (writes.length > 0) await store.commit(writes, [])
  }

  return {
    async add(key, windowInSeconds, uses = 1) {
      const others = await elsewhere(key)
      const window = windows.find(key) ?? windows.open(key, others?.endsAt ?? now() + windowInSeconds * 1000)
      window.count += uses
      shareSoon(key)
      return usageOf(window.count + (others?.count ?? 0), window.endsAt - now())
    },
    async peek(key, windowInSeconds) {
      const others = await elsewhere(key)
      const own = windows.find(key)
      const endsAt = own?.endsAt ?? others?.endsAt ?? now() + windowInSeconds * 1000
      return usageOf((own?.count ?? 0) + (others?.count ?? 0), endsAt - now())
    },
    close: share,
  }
}

/** This process's counts, limited to the keys with the youngest windows. */
function createWindows(now: Clock, keysAtMost: number) {
  const windows = new Map<string, Window>()

  /** Windows are sorted by when they began, so the first ones are the oldest. */
  function makeRoom(): void {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now() && windows.size <= keysAtMost) return
      windows.delete(key)
    }
  }

  return {
    find: (key: string) => stillOpen(windows.get(key), now),
    open(key: string, endsAt: number): Window {
      windows.delete(key)
      const window = { count: 0, endsAt }
      windows.set(key, window)
      makeRoom()
      return window
    },
  }
}

/** The other processes' known counts; undefined if they have no open window. */
function lookingElsewhere(shares: Table<Share>, by: string, now: Clock, keysAtMost: number) {
  const looked = new Map<string, { readonly at: number; readonly window: Window | undefined }>()

  async function lookUp(key: string): Promise<Window | undefined> {
    let found: Window | undefined
    for await (const { by: whose, count, endsAt } of shares.list(key)) {
      if (whose === by || endsAt <= now()) continue
      found = { count: count + (found?.count ?? 0), endsAt: Math.min(endsAt, found?.endsAt ?? endsAt) }
    }
    if (looked.size >= keysAtMost) looked.clear()
    looked.set(key, { at: now(), window: found })
    return found
  }

  return async (key: string): Promise<Window | undefined> => {
    const known = looked.get(key)
    const isFresh = known !== undefined && now() - known.at < lookedUpAfterInMilliseconds
    return stillOpen(isFresh ? known.window : await lookUp(key), now)
  }
}

function stillOpen(window: Window | undefined, now: Clock): Window | undefined {
  return window !== undefined && window.endsAt > now() ? window : undefined
}
