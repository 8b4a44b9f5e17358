import { Problem } from '#shared/problem.ts'
import { listingOf } from './batches/batches.ts'
import { type Guard, type Store, StoreLost, singleWrites, type Write, WriteFailed } from './store.ts'

const retryAfterInSeconds = 5
const triedAgainAfterMilliseconds = 2_000
const probeKey = 'write-probe'
/** More than most commits write: what is taken again only byte by byte is not taken. */
const probeBytes = 256 * 1024
const probeExpiresInSeconds = 60

export interface SteadyStore extends Store {
  /** Why nothing can be written just now; undefined while all is well. */
  trouble(): string | undefined
  /** How often a write has failed. */
  failures(): number
}

interface Options {
  /** Told when writes begin to fail, and why, and when they are taken again. */
  readonly onChange: (trouble: string | undefined) => void
  /** Told once where the store does not come back in this process. */
  readonly onLost?: (error: Error) => void
  readonly triedAgainAfterInMilliseconds?: number
}

/**
 * [Note: Read-only, not dead] A store whose write has failed takes no further ones, answers what is read, and tries by itself every two
 * seconds whether it can write again. Expired entries are erased all the same: that makes room.
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
      // What was lost says so when it is read: a write would wait for ever.
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
