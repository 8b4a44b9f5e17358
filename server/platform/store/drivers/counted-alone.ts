import type { RateCounter, Usage } from '#server/platform/store/rate-counter.ts'
import { createSharedRateCounter } from '#server/platform/store/shared-rate-counter.ts'
import { WriteFailed } from '#server/platform/store/store.ts'
import { createMemoryStore } from './memory.ts'

const nothing: Usage = { count: 0, resetsInSeconds: 0 }

/**
 * Keeps counts on a server. [Note: Counted alone] While the server answers but refuses writes, each process counts for
 * itself, so that reads are still served and limited. The local and the shared counts are added up, even for lookups that
 * the server answers, so that wrong credentials remain limited.
 */
export function countedAloneWhereRefused(shared: RateCounter): RateCounter {
  const alone = createSharedRateCounter({
    // Not shared with other processes, so nothing is stored that would have to be swept.
    store: { ...createMemoryStore(), commit: async () => true },
    now: Date.now,
    onFailure: () => undefined,
  })
  let wasRefused = false

  /** Undefined if the server refuses the write. */
  async function unlessRefused(answer: Promise<Usage>): Promise<Usage | undefined> {
    try {
      return await answer
    } catch (error) {
      if (!(error instanceof WriteFailed)) throw error
      wasRefused = true
      return undefined
    }
  }

  return {
    async add(...use) {
      const [key, windowInSeconds] = use
      const counted = await unlessRefused(shared.add(...use))
      if (counted !== undefined)
        return wasRefused ? together(counted, await alone.peek(key, windowInSeconds)) : counted
      const before = await unlessRefused(shared.peek(key, windowInSeconds))
      return together(before ?? nothing, await alone.add(...use))
    },
    async peek(...use) {
      const counted = await unlessRefused(shared.peek(...use))
      return wasRefused ? together(counted ?? nothing, await alone.peek(...use)) : counted!
    },
  }
}

/** Adds both counts and keeps the later end. A window without any uses does not extend it. */
function together(one: Usage, other: Usage): Usage {
  const ends = [one, other].flatMap(({ count, resetsInSeconds }) => (count > 0 ? [resetsInSeconds] : []))
  const resetsInSeconds = ends.length > 0 ? Math.max(...ends) : other.resetsInSeconds
  return { count: one.count + other.count, resetsInSeconds }
}
