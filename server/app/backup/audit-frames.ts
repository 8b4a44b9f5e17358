import { type AuditSegments, type Frame, packFrame, unpackFrames } from '#server/features/audit/audit.ts'
import type { BackupEntry } from './backup-file.ts'

const kind = 'audit-frame/'

/** What is in a store, and behind it the audit logs: so no entry is missing that has left the store meanwhile. */
export async function* withAuditFrames(
  entries: AsyncIterable<BackupEntry>,
  segments: AuditSegments,
): AsyncGenerator<BackupEntry> {
  yield* entries
  for (const accountId of await segments.accounts())
    for await (const frame of segments.ascending(accountId, -1))
      yield { key: kind + accountId, value: packFrame(frame), expiresAt: undefined }
}

/** Puts the frames of a lot back, and answers what belongs into the store. */
export async function putAuditFrames(
  lot: readonly BackupEntry[],
  segments: AuditSegments,
): Promise<readonly BackupEntry[]> {
  const frames = new Map<string, Frame[]>()
  for (const { key, value } of lot) {
    if (!key.startsWith(kind) || value === undefined) continue
    const accountId = key.slice(kind.length)
    frames.set(accountId, [...(frames.get(accountId) ?? []), ...unpackFrames(Buffer.from(value))])
  }
  for (const [accountId, of] of frames) await segments.append(accountId, of)
  return lot.filter(({ key }) => !key.startsWith(kind))
}
