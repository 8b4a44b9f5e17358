import { randomUUID } from 'node:crypto'
import type { Store } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import type { AuditLog } from './audit-log.ts'

const everyMilliseconds = 500
/** If the process that moves entries disappears, another one takes over after this time. */
const leaseSeconds = 10

/** Moves audit entries to the segments. Only one process per store does so at a time. */
export interface AuditMover {
  start(): void
  /** Moves pending entries, unless another process is doing so, signs checkpoints, and gives up the lease. */
  stop(): Promise<void>
}

interface Dependencies {
  readonly store: Store
  readonly log: Pick<AuditLog, 'move'>
  /** Receives errors. Entries that could not be moved remain in the store, and the move is retried. */
  readonly onFailure: (error: unknown) => void
}

/** [Note: One process moves] Two movers would do no harm, because they write the same entries, but they would do twice the work. */
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
