import { randomUUID } from 'node:crypto'
import type { Store } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'

/** How long a process counts as alive after its last heartbeat, and how often it sends one while it has work. */
const aliveForSeconds = 6
const everyMilliseconds = 2000

/** Tells other processes that this one is still analysing the pictures it accepted. */
export interface Pulse {
  /** This process's name. */
  readonly by: string
  /** Sends a heartbeat now, and keeps sending them until `isIdle` reports that no work is left. */
  begin(isIdle: () => boolean): Promise<void>
  isAlive(by: string): Promise<boolean>
  stop(): void
}

/** [Note: Pictures die with their process] They wait only in memory, so the request that ends a step must know if waiting is worthwhile. */
export function createPulse(store: Store): Pulse {
  const pulses = createTable<{ readonly isAlive: true }>(store, 'intake-worker')
  const by = randomUUID()
  let timer: NodeJS.Timeout | undefined
  let first: Promise<void> = Promise.resolve()
  const beat = () => pulses.put(deployment, by, { isAlive: true }, aliveForSeconds)
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }

  return {
    by,
    async begin(isIdle) {
      if (timer === undefined) {
        timer = setInterval(() => {
          if (isIdle()) stop()
          else void beat().catch(() => undefined) // the next one may come through
        }, everyMilliseconds).unref()
        first = beat()
      }
      try {
        await first
      } catch (error) {
        stop()
        throw error
      }
    },
    isAlive: async (other) => other === by || (await pulses.get(deployment, other)) !== undefined,
    stop,
  }
}
