import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'

/** Longer than a decision takes. If a process died, its claim has expired by then. */
const claimedForSeconds = 3
const pauseInMilliseconds = 10

/**
 * Lets one process go first with a collection. [Note: Who loses goes first] A commit fails if another process was faster, and
 * the winner starts its next decision sooner than the others. With many faces to search, the same process would win again
 * and again. A process that has lost several times writes a claim, and the others wait until it is gone. The claim is
 * advisory, not a lock; the commits' guards keep decisions consistent.
 */
export interface Precedence {
  /** Waits while another process has precedence, but no longer than a claim lasts. */
  giveWay(accountId: string, collectionId: string): Promise<void>
  claim(accountId: string, collectionId: string): Promise<void>
  /** Releases a claim. No-op if there is none. */
  release(accountId: string, collectionId: string): Promise<void>
}

export function createPrecedence(store: Store): Precedence {
  const claims = createTable<string>(store, 'precedence')
  const own = randomUUID()
  const claimed = new Set<string>()

  async function isTaken(accountId: string, collectionId: string): Promise<boolean> {
    const holder = await claims.get(accountId, collectionId)
    return holder !== undefined && holder !== own
  }

  return {
    async giveWay(accountId, collectionId) {
      const end = performance.now() + claimedForSeconds * 1000
      while ((await isTaken(accountId, collectionId)) && performance.now() < end) {
        await pause(pauseInMilliseconds * (1 + Math.random()))
      }
    },
    async claim(accountId, collectionId) {
      claimed.add(`${accountId}/${collectionId}`)
      await claims.insert(accountId, collectionId, own, claimedForSeconds)
    },
    async release(accountId, collectionId) {
      if (!claimed.delete(`${accountId}/${collectionId}`)) return
      const read = await claims.read(accountId, collectionId)
      if (read?.value !== own) return
      await store.commit([claims.write(accountId, collectionId, undefined)], [read.guard])
    },
  }
}
