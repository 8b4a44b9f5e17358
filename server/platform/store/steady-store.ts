import { Problem } from '#shared/problem.ts'
import { listingOf } from './batches/batches.ts'
import { type Guard, type Store, StoreLost, singleWrites, type Write, WriteFailed } from './store.ts'

const retryAfterInSeconds = 5
const triedAgainAfterMilliseconds = 2_000
const probeKey = 'write-probe'
/** Larger than most commits, so that a disk that accepts only small writes does not count as recovered. */
const probeBytes = 256 * 1024
const probeExpiresInSeconds = 60

export interface SteadyStore extends Store {
  /** The reason that writes currently fail; undefined if they succeed. */
  trouble(): string | undefined
  /** The number of failed writes so far. */
  failures(): number
}

interface Options {
  /** Runs with the reason when writes begin to fail, and with undefined when they succeed again. */
  readonly onChange: (trouble: string | undefined) => void
  /** Runs once if the store cannot recover in this process. */
  readonly onLost?: (error: Error) => void
  readonly triedAgainAfterInMilliseconds?: number
}

/**
 * [Note: Read-only, not dead] After a failed write, the store refuses further writes but still answers reads, and checks
 * every two seconds if it can write again. Expired entries are still erased, because that frees space.
 */
export function createSteadyStore(store: Store, options: Options): SteadyStore {
  const { onChange, onLost, triedAgainAfterInMilliseconds = triedAgainAfterMilliseconds } = options
  let trouble: string | undefined
  let failures = 0
  let timer: NodeJS.Timeout | undefined

  function tryAgainLater(): void {
    timer = setTimeout(() => void tryAgain(), triedAgainAfterInMilliseconds).unref()
  }

  async function tryAgain(): Promise<void> {
    try {
      // A lost store reports that on a read; a write would wait forever.
      await store.get(probeKey)
      await store.put(probeKey, Buffer.alloc(probeBytes), probeExpiresInSeconds)
      await store.remove(probeKey)
      trouble = undefined
      onChange(undefined)
    } catch (error) {
      if (error instanceof StoreLost) onLost?.(error)
      else tryAgainLater()
    }
  }

  async function writing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof WriteFailed)) throw error
      failures++
      if (trouble === undefined) {
        trouble = error.message
        onChange(trouble)
        tryAgainLater()
      }
      throw refused()
    }
  }

  const commit = async (writes: readonly Write[], guards: readonly Guard[]) => {
    if (trouble !== undefined) throw refused()
    return writing(() => store.commit(writes, guards))
  }
  return {
    get: store.get,
    ...listingOf(store),
    ...singleWrites(commit),
    commit,
    sweep: () => writing(store.sweep),
    async close() {
      clearTimeout(timer)
      await store.close()
    },
    trouble: () => trouble,
    failures: () => failures,
  }
}

function refused(): Problem {
  const words = 'The store is read-only at the moment. Try again later.'
  return new Problem('store_read_only', words, { retryAfterInSeconds })
}
