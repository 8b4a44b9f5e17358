import { createHash, randomBytes } from 'node:crypto'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type GuardedRecord } from '#server/platform/store/tables.ts'
import type { Transaction } from '#server/platform/store/transaction.ts'
import { undoneWithinMilliseconds } from './evidence-limits.ts'
import { isGathered, isKept } from './evidence-retention.ts'
import { retentionInMilliseconds, type SessionRecord } from './session-record.ts'

/** How many pictures a viewer was shown. */
export interface PictureCounts {
  readonly pictures: number
  readonly film: number
}

/**
 * The key to a session's evidence, stored only as long as the evidence itself.
 * [Note: The key stands here alone] Backups omit this record, and no other record may contain the key.
 */
export interface EvidenceRecord {
  /** The sealed key for this session's pictures. */
  readonly key: string
  /** Milliseconds since 1970. */
  readonly until: number
  /** True once the session is over and the pictures may be viewed. */
  readonly isKept: boolean
  /** The retention before the decision; absent until a decision is made. */
  readonly formerUntil?: number
  /** The viewers and what each was shown. */
  readonly seenBy?: Readonly<Record<string, PictureCounts>>
}

export interface SessionKey {
  readonly accountId: string
  readonly sessionId: string
}

/** An hour longer than a session's lifetime, so the session has ended by then. */
const openBeyondMilliseconds = 3_600_000
const lostForSeconds = 7 * 24 * 3600

/** The evidence records, written in their sessions' commits. They expire on their own, and the keys expire with them. */
export interface EvidenceRecords {
  /** The writes for the commit that begins a session. */
  begun(record: SessionRecord): Write[]
  /** The writes for the commit that ends it: keeps or removes the evidence. Keeps nothing if the key is missing, as after a restore. */
  ended(transaction: Transaction, record: SessionRecord): Promise<void>
  /** The writes that remove all of a session's evidence. */
  erased(whose: SessionKey): Write[]
  read(whose: SessionKey): Promise<GuardedRecord<EvidenceRecord> | undefined>
  write(whose: SessionKey, record: EvidenceRecord): Write
  /** Unseals the key. @throws if it was sealed for another session */
  keyOf(whose: SessionKey, sealed: string): Buffer
  markLost(whose: SessionKey): Promise<void>
  isLost(whose: SessionKey): Promise<boolean>
  /** True if this owner may still have data. */
  isOwned(owner: string): Promise<boolean>
}

/** The owner name for a session's pictures, which reveals nothing about the session. */
export function ownerOf({ accountId, sessionId }: SessionKey): string {
  return createHash('sha256').update(`evidence/${accountId}/${sessionId}`).digest('base64url')
}

export function createEvidenceRecords(store: Store, keyRing: KeyRing, now: Clock): EvidenceRecords {
  const records = createTable<EvidenceRecord>(store, 'evidence')
  const lost = createTable<{ readonly isLost: true }>(store, 'evidence-lost')
  const use = 'evidence-key'

  function write(whose: SessionKey, record: EvidenceRecord): Write {
    const seconds = Math.max(0.001, (record.until - now()) / 1000)
    return records.write(deployment, ownerOf(whose), record, seconds)
  }

  return {
    write,
    begun(record) {
      if (!isGathered(record)) return []
      const key = keyRing.seal(use, ownerOf(record), randomBytes(32))
      return [write(record, { key, until: record.expiresAt + openBeyondMilliseconds, isKept: false })]
    },
    async ended(transaction, record) {
      if (!isGathered(record)) return
      const read = await records.read(deployment, ownerOf(record))
      if (read === undefined) return
      transaction.hold(read.guard)
      const { keeps } = record.settings
      if (!isKept(record) || keeps === undefined)
        return transaction.write(records.write(deployment, ownerOf(record), undefined))
      const hours = (record.completedAt ?? now()) + keeps.hours * 3_600_000
      const until = Math.min(hours, record.created + retentionInMilliseconds)
      transaction.write(write(record, { key: read.value.key, until, isKept: true }))
    },
    erased: (whose) => [
      records.write(deployment, ownerOf(whose), undefined),
      lost.write(deployment, ownerOf(whose), undefined),
    ],
    read: (whose) => records.read(deployment, ownerOf(whose)),
    keyOf: (whose, sealed) => keyRing.open(use, ownerOf(whose), sealed),
    markLost: (whose) => lost.put(deployment, ownerOf(whose), { isLost: true }, lostForSeconds),
    isLost: async (whose) => (await lost.get(deployment, ownerOf(whose))) !== undefined,
    isOwned: async (owner) => (await records.get(deployment, owner)) !== undefined,
  }
}

/** Returns the record after a decision: the evidence expires soon unless the decision is undone. */
export function decided(record: EvidenceRecord, at: number): EvidenceRecord {
  const { until, formerUntil = until } = record
  return { ...record, formerUntil, until: Math.min(formerUntil, at + undoneWithinMilliseconds) }
}

/** Returns the record after a decision was undone, with its former retention. */
export function undecided({ formerUntil, ...record }: EvidenceRecord): EvidenceRecord {
  return formerUntil === undefined ? record : { ...record, until: formerUntil }
}
