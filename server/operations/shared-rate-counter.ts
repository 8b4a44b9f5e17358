import { randomUUID } from 'node:crypto'
import type { Clock, Store } from '#server/store/store.ts'
import { createTable } from '#server/store/tables.ts'
import { type RateCounter, usageOf } from './rate-counter.ts'

interface Window {
  count: number
  readonly endsAt: number
}

/** What one process counted, as the others see it. */
interface Share extends Window {
  readonly by: string
}

const mostKeys = 100_000
const sharedAfterInMilliseconds = 250
const lookedUpAfterInMilliseconds = 250

export interface SharedRateCounter extends RateCounter {
  /** Shares what is counted and not yet shared; for the end, before the store closes. */
  close(): Promise<void>
}

interface Options {
  readonly store: Store
  readonly now: Clock
  readonly onFailure: (error: unknown) => void
  readonly keysAtMost?: number
}

/**
 * [Note: Counts are shared a little later] Every process counts in memory. Four times a second its counts go to the
 * store, all in one commit, and as often it looks there for what the others counted of a key. So a request waits for no
 * disk, and a limit may be exceeded by what the other processes let in within half a second. When too many keys come, the
 * oldest windows make room: whoever floods, loses nobody's service.
 */
export function createSharedRateCounter(options: Options): SharedRateCounter {
  const { store, now, onFailure, keysAtMost = mostKeys } = options
  const shares = createTable<Share>(store, 'rate-share')
  const by = randomUUID()
  const windows = new Map<string, Window>()
  const unshared = new Set<string>()
  const looked = new Map<string, { readonly at: number; readonly window: Window | undefined }>()
  let sharing: NodeJS.Timeout | undefined

  function open(key: string): Window | undefined {
    const window = windows.get(key)
    return window !== undefined && window.endsAt > now() ? window : undefined
  }

  function start(key: string, endsAt: number): Window {
    windows.delete(key)
    const window = { count: 0, endsAt }
    windows.set(key, window)
    makeRoom()
    return window
  }

  /** Windows stand in the order they began, so the first ones are the oldest. */
  function makeRoom(): void {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now() && windows.size <= keysAtMost) return
      windows.delete(key)
    }
  }

  /** What the other processes counted, as far as it is known; undefined where they have no window open. */
  async function elsewhere(key: string): Promise<Window | undefined> {
    const known = looked.get(key)
    const isFresh = known !== undefined && now() - known.at < lookedUpAfterInMilliseconds
    const found = isFresh ? known.window : await lookUp(key)
    return found !== undefined && found.endsAt > now() ? found : undefined
  }

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

  function shareSoon(key: string): void {
    unshared.add(key)
    sharing ??= setTimeout(() => void share().catch(onFailure), sharedAfterInMilliseconds).unref()
  }

  async function share(): Promise<void> {
    clearTimeout(sharing)
    sharing = undefined
    const writes = [...unshared].flatMap((key) => {
      const window = open(key)
      return window === undefined
        ? []
        : [shares.write(key, by, { by, ...window }, (window.endsAt - now()) / 1000)]
    })
    unshared.clear()
    if (writes.length > 0) await store.commit(writes, [])
  }

  return {
    async add(key, windowInSeconds) {
      const others = await elsewhere(key)
      const window = open(key) ?? start(key, others?.endsAt ?? now() + windowInSeconds * 1000)
      window.count++
      shareSoon(key)
      return usageOf(window.count + (others?.count ?? 0), window.endsAt - now())
    },
    async peek(key, windowInSeconds) {
      const others = await elsewhere(key)
      const own = open(key)
      const endsAt = own?.endsAt ?? others?.endsAt ?? now() + windowInSeconds * 1000
      return usageOf((own?.count ?? 0) + (others?.count ?? 0), endsAt - now())
    },
    close: share,
  }
}
