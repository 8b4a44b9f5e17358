import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuditLog } from '#server/features/audit/audit-log.ts'
import { createFolderSegments } from '#server/features/audit/segments/folder-segments.ts'
import type { AuditSegments } from '#server/features/audit/segments/segments.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'

const actor = { kind: 'server', keyId: null, tokenId: null } as const
export const eventOf = (operation: string, keyId?: string) => ({
  operation,
  actor,
  resources: keyId === undefined ? {} : { keyId },
  outcome: 'succeeded',
})

/** The audit log of one account in a store and a folder, or in segments of another kind, with an adjustable clock. */
export async function newAuditDeployment(otherSegments?: AuditSegments) {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-log-'))
  const keyRing = createKeyRing(Buffer.alloc(32, 3), 'EU')
  const clock = { now: Date.parse('2026-01-10T12:00:00Z') }
  const now = () => clock.now
  const store = createMemoryStore(now)
  const accountId = 'shop'
  /** A process that works on it, optionally with another store or segments that fail. */
  const open = ({
    behind = store,
    change = (segments) => segments,
  }: {
    behind?: Store
    change?: (segments: AuditSegments) => AuditSegments
  } = {}) => {
    const segments = change(otherSegments ?? createFolderSegments(folder, now))
    return createAuditLog({ store: behind, keyRing, segments, now })
  }
  const log = open()
  const { operation: _first, ...made } = eventOf('')
  await store.commit(log.begin(accountId, made), [])
  return {
    folder,
    keyRing,
    clock,
    now,
    store,
    accountId,
    log,
    open,
    /** Adds `count` entries, some at a time. */
    async add(count: number, name = 'operation'): Promise<void> {
      const added = Array.from({ length: count }, (_, i) => log.append(accountId, eventOf(`${name} ${i}`)))
      await Promise.all(added)
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

export type AuditDeployment = Awaited<ReturnType<typeof newAuditDeployment>>
