import { createHash, randomBytes } from 'node:crypto'
import { retentionInMilliseconds, type SessionRecord } from '#server/features/sessions/record.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type Read } from '#server/platform/store/tables.ts'
import type { Transaction } from '#server/platform/store/transaction.ts'
import { undoneWithinMilliseconds } from './evidence-limits.ts'
import { isGathered, isKept } from './kept-when.ts'

/** How many pictures somebody got to see. */
export interface Shown {
  readonly pictures: number
  readonly film: number
}

/**
 * What opens the evidence of a session, for as long as it is kept: once it has gone, nothing does. [Note: The key stands here alone] Backups leave
 * this record out, and no other one may hold what is in it.
 */
export interface EvidenceRecord {
  /** Sealed: the key of this session's pictures alone. */
  readonly key: string
  /** Milliseconds since 1970. */
  readonly until: number
  /** The session is over, and somebody may look. */
  readonly isKept: boolean
  /** Until when it was to be kept before somebody decided; absent before. */
  readonly formerUntil?: number
  /** Who has looked, and what they saw. */
  readonly seenBy?: Readonly<Record<string, Shown>>
}

/** Which session. */
export interface Whose {
  readonly accountId: string
  readonly sessionId: string
}

/** An hour beyond the time of a session: by then it has been ended. */
const openBeyondMilliseconds = 3_600_000
const lostForSeconds = 7 * 24 * 3600

/** The records of the evidence, in the commits of their sessions. Expiry belongs to the write: the key goes by itself. */
export interface EvidenceRecords {
  /** For the commit that begins a session. */
  begun(record: SessionRecord): Write[]
  /** For the commit that ends it: kept, or gone. Nothing is kept of a session whose key is not there, as after a restore. */
  ended(transaction: Transaction, record: SessionRecord): Promise<void>
  /** The writes that leave nothing. */
  erased(whose: Whose): Write[]
  read(whose: Whose): Promise<Read<EvidenceRecord> | undefined>
  write(whose: Whose, record: EvidenceRecord): Write
  /** The key itself. @throws where it was sealed for another session */
  keyOf(whose: Whose, sealed: string): Buffer
  markLost(whose: Whose): Promise<void>
  isLost(whose: Whose): Promise<boolean>
  /** Whether anything of this owner may be there still. */
  isOwned(owner: string): Promise<boolean>
}

/** Under what the pictures of a session lie: tells nothing of it. */
export function ownerOf({ accountId, sessionId }: Whose): string {
  return createHash('sha256').update(`evidence/${accountId}/${sessionId}`).digest('base64url')
}

export function createEvidenceRecords(store: Store, keyRing: KeyRing, now: Clock): EvidenceRecords {
  const records = createTable<EvidenceRecord>(store, 'evidence')
  const lost = createTable<{ readonly isLost: true }>(store, 'evidence-lost')
  const use = 'evidence-key'

  function write(whose: Whose, record: EvidenceRecord): Write {
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

/** The record from a decision on: what it was made by goes soon, unless the decision is taken back. */
export function decided(record: EvidenceRecord, at: number): EvidenceRecord {
  const { until, formerUntil = until } = record
  return { ...record, formerUntil, until: Math.min(formerUntil, at + undoneWithinMilliseconds) }
}

/** The record once a decision was taken back: kept as before. */
export function undecided({ formerUntil, ...record }: EvidenceRecord): EvidenceRecord {
  return formerUntil === undefined ? record : { ...record, until: formerUntil }
}
