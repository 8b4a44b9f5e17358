import { type AuditSegments, type Frame, packFrame, unpackFrames } from '#server/features/audit/audit.ts'
import type { Store } from '#server/platform/store/store.ts'
import type { BackupEntry } from './backup-file.ts'

const kind = 'audit-frame/'
const endKind = 'audit-head/'
const laterKind = 'audit-later/'

/**
 * What is in a store, and behind it the audit logs: so no entry is missing that has left the store meanwhile. At last the ends of the logs as they are then: what an archive
 * has cut off meanwhile is missing in the segments, and these say so.
 */
export async function* withAuditFrames(
  entries: AsyncIterable<BackupEntry>,
  segments: AuditSegments,
  store: Pick<Store, 'list'>,
): AsyncGenerator<BackupEntry> {
  yield* entries
  for (const accountId of await segments.accounts())
    for await (const frame of segments.ascending(accountId, -1))
      yield { key: kind + accountId, value: packFrame(frame), expiresAt: undefined }
  for await (const { key, value } of store.list(endKind))
    yield { key: laterKind + key, value, expiresAt: undefined }
}

/** Puts the frames of a lot back, and the ends that were read at last into a store of their own; answers what belongs into the store. */
export async function putAuditFrames(
  lot: readonly BackupEntry[],
  segments: AuditSegments,
  later: Store,
): Promise<readonly BackupEntry[]> {
  const frames = new Map<string, Frame[]>()
  for (const { key, value } of lot) {
    if (!key.startsWith(kind) || value === undefined) continue
    const accountId = key.slice(kind.length)
    frames.set(accountId, [...(frames.get(accountId) ?? []), ...unpackFrames(Buffer.from(value))])
  }
  for (const [accountId, of] of frames) await segments.append(accountId, of)
  const isLater = ({ key }: BackupEntry) => key.startsWith(laterKind)
  for (const { key, value } of lot.filter(isLater)) await later.put(key.slice(laterKind.length), value!)
  return lot.filter((entry) => !entry.key.startsWith(kind) && !isLater(entry))
}
