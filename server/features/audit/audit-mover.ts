import { randomUUID } from 'node:crypto'
import type { Store } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import type { AuditLog } from './audit-log.ts'

const everyMilliseconds = 500
/** Whoever was to move entries and is gone is followed after as long. */
const leaseSeconds = 10

/** Moves audit entries to the segments, of all processes on a store one at a time. */
export interface AuditMover {
  start(): void
  /** Moves what waits, where no other process does, and signs where each log is; then another process may. */
  stop(): Promise<void>
}

interface Dependencies {
  readonly store: Store
  readonly log: Pick<AuditLog, 'move'>
  /** What could not be moved; it waits in the store, and is tried again. */
  readonly onFailure: (error: unknown) => void
}

/** [Note: One process moves] That two do would be no harm: they write the same. It would only be twice the work. */
export function createAuditMover({ store, log, onFailure }: Dependencies): AuditMover {
  const leases = createTable<string>(store, 'audit-mover')
  const own = randomUUID()
  let timer: NodeJS.Timeout | undefined
  let moving: Promise<void> = Promise.resolve()
  let isStopping = false

  async function holds(): Promise<boolean> {
    const read = await leases.read(deployment, 'lease')
    if (read === undefined) return leases.insert(deployment, 'lease', own, leaseSeconds)
    if (read.value !== own) return false
    return store.commit([leases.write(deployment, 'lease', own, leaseSeconds)], [read.guard])
  }

  async function release(): Promise<void> {
    const read = await leases.read(deployment, 'lease')
    if (read?.value === own) await store.commit([leases.write(deployment, 'lease', undefined)], [read.guard])
  }

  async function once(signs: 'due' | 'all'): Promise<void> {
    try {
      if (await holds()) await log.move(signs)
    } catch (error) {
      onFailure(error)
    }
  }

  function next(): void {
    timer = setTimeout(() => {
      moving = once('due').then(() => {
        if (!isStopping) next()
      })
    }, everyMilliseconds).unref()
  }

  return {
    start: next,
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await moving
      await once('all')
      await release().catch(onFailure)
    },
  }
}
