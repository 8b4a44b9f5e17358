import type { Clock } from '#server/store/store.ts'

/** How often something was done in the window that is open, and when that window ends. */
export interface Usage {
  readonly count: number
  readonly resetsInSeconds: number
}

/**
 * The port behind which requests are counted. A window opens with the first use of a key and ends after its length.
 * The one below counts for this process; one that shares its counts lets several processes keep one limit.
 */
export interface RateCounter {
  /** Counts a use; answers how many there were with it. */
  add(key: string, windowInSeconds: number): Promise<Usage>
  /** Answers how many there were, and counts none. */
  peek(key: string, windowInSeconds: number): Promise<Usage>
}

interface Window {
  count: number
  endsAt: number
}

const mostKeys = 100_000

/** Counts in memory. When too many keys come, the oldest windows make room: whoever floods, loses nobody's service. */
export function createRateCounter(now: Clock, keysAtMost = mostKeys): RateCounter {
  const windows = new Map<string, Window>()

  function open(key: string): Window | undefined {
    const window = windows.get(key)
    return window !== undefined && window.endsAt > now() ? window : undefined
  }

  function start(key: string, windowInSeconds: number): Window {
    windows.delete(key)
    const window = { count: 0, endsAt: now() + windowInSeconds * 1000 }
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

  const usageOf = ({ count, endsAt }: Window): Usage => ({
    count,
    resetsInSeconds: Math.max(1, Math.ceil((endsAt - now()) / 1000)),
  })

  return {
    async add(key, windowInSeconds) {
      const window = open(key) ?? start(key, windowInSeconds)
      window.count++
      return usageOf(window)
    },
    async peek(key, windowInSeconds) {
      const window = open(key)
      return window === undefined ? { count: 0, resetsInSeconds: windowInSeconds } : usageOf(window)
    },
  }
}
