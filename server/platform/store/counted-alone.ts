import { createMemoryStore } from './drivers/memory.ts'
import type { RateCounter, Usage } from './rate-counter.ts'
import { createSharedRateCounter } from './shared-rate-counter.ts'
import { WriteFailed } from './store.ts'

const nothing: Usage = { count: 0, resetsInSeconds: 0 }

/**
 * Counts on a server. [Note: Counted alone] While it answers and takes no writes, each process counts for itself: what is only read is still answered, and limited. What was
 * counted alone and what the server has count together, also in a look that the server answers: wrong credentials stay limited.
 */
export function countedAloneWhereRefused(shared: RateCounter): RateCounter {
  const alone = createSharedRateCounter({
    // Nobody shares it: what nobody would sweep is not kept.
    store: { ...createMemoryStore(), commit: async () => true },
    now: Date.now,
    onFailure: () => undefined,
  })
  let wasRefused = false

  /** Undefined where it is refused. */
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

/** Both counts, until the later end; a window without uses has no say in that. */
function together(one: Usage, other: Usage): Usage {
  const ends = [one, other].flatMap(({ count, resetsInSeconds }) => (count > 0 ? [resetsInSeconds] : []))
  const resetsInSeconds = ends.length > 0 ? Math.max(...ends) : other.resetsInSeconds
  return { count: one.count + other.count, resetsInSeconds }
}
