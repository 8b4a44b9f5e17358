import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { createBatcher } from '#server/platform/store/batcher.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import type { AuditEntry } from '#shared/contract/account/audit.ts'
import { type AuditEvent, type AuditHead, type ChainVerdict, firstOperation, withdrawalsOf } from './chain.ts'
import { entriesBetween, type LogBook, type OnAuditHead } from './log/log-book.ts'
import { createLogEnds, newEnd } from './log/log-end.ts'
import { createLogMover } from './log/move-log.ts'
import { createOutbox } from './log/outbox.ts'
import { readLogState, verifyRecent, verifyWhole } from './log/verify-log.ts'
import { createSealedFrames } from './segments/sealed-frames.ts'
import type { AuditSegments } from './segments/segments.ts'

/**
 * An append-only log for each account. [Note: A chain of entries] Each entry is sealed together with the previous one, using
 * the log's key. The key and the log's end are stored separately, sealed under the master secret. So an attacker who can
 * write to the store or the segments but lacks that secret cannot alter, remove, add or move an entry
 * unnoticed.
 */
export interface AuditLog {
  /** The writes that begin a log, for the commit that creates the account. */
  begin(accountId: string, event: Omit<AuditEvent, 'operation'>): Write[]
  /** The write that adds an entry, for the commit of the change it records. */
  write(accountId: string, event: AuditEvent): Write
  /** Adds an entry in a separate commit. Entries that arrive during a commit share the next one. */
  append(accountId: string, event: AuditEvent): Promise<void>
  /** Newest first, before the given sequence if there is one. */
  page(accountId: string, limit: number, before: number | undefined): Promise<AuditEntry[]>
  /** Walks the whole chain. Also checks that an entry still has the hash recorded elsewhere. */
  verify(accountId: string, kept?: AuditHead): Promise<ChainVerdict>
  /** Like `verify`, but from the newest checkpoint on. Used at startup. */
  verifyRecent(accountId: string, kept?: AuditHead): Promise<ChainVerdict>
  /** Moves pending entries from the store to the segments, and signs checkpoints: either those that are due, or all. */
  move(signs: 'due' | 'all'): Promise<void>
  /** The log's storage, for code that cuts and copies it. */
  readonly book: LogBook
}

export function createAuditLog(
  {
    store,
    keyRing,
    segments,
    now,
  }: Readonly<{
    store: Store
    keyRing: KeyRing
    segments: AuditSegments
    now: Clock
  }>,
  onHead: OnAuditHead = () => undefined,
): AuditLog {
  const ends = createLogEnds(store, keyRing)
  const outbox = createOutbox(store, keyRing)
  const frames = createSealedFrames(keyRing)
  const book: LogBook = { store, outbox, ends, frames, segments, now }
  const mover = createLogMover(book, onHead)
  let moving: Promise<void> = Promise.resolve()

  const write = (accountId: string, event: AuditEvent) =>
    outbox.write(accountId, { time: new Date(now()).toISOString(), ...event })

  const append = createBatcher(async (accountId, events: readonly AuditEvent[]) => {
    const writes = events.map((event) => write(accountId, event))
    await store.commit(writes, [])
    if (events.some((event) => withdrawalsOf({ ...event, sequence: 0 }).length > 0)) await tell(accountId)
    return events.map(() => undefined)
  })

  /** [Note: Revocations are reported at once] This holds whichever process moves their entries, and whenever it does. */
  async function tell(accountId: string): Promise<void> {
    const standing = await readLogState(book, accountId)
    const entries = 'valid' in standing ? [] : standing.waiting.entries
    const last = entries.at(-1)
    if (last === undefined) return
    onHead(accountId, { sequence: last.sequence, hash: last.hash }, entries.flatMap(withdrawalsOf))
  }

  return {
    book,
    begin: (accountId, event) => [
      ends.write(accountId, newEnd()),
      write(accountId, { operation: firstOperation, ...event }),
    ],
    write,
    append,
    page: (accountId, limit, before) => page(book, accountId, limit, before),
    verify: (accountId, kept) => verifyWhole(book, accountId, kept),
    verifyRecent: (accountId, kept) => verifyRecent(book, accountId, kept),
    move(signs) {
      const moved = moving.then(() => mover.moveAll(signs))
      moving = moved.catch(() => undefined)
      return moved
    },
  }
}

async function page(
  book: LogBook,
  accountId: string,
  limit: number,
  before: number | undefined,
): Promise<AuditEntry[]> {
  const standing = await readLogState(book, accountId)
  if ('valid' in standing) return []
  const { end, waiting } = standing
  const last = waiting.entries.at(-1)?.sequence ?? end.sequence
  const newest = Math.min(last, (before ?? last + 1) - 1)
  const found = waiting.entries
    .filter(({ sequence }) => sequence <= newest)
    .reverse()
    .slice(0, limit)
  const to = Math.min(end.sequence, newest)
  const from = Math.max((end.cut?.sequence ?? 0) + 1, to - (limit - found.length) + 1)
  const moved = await entriesBetween(book, accountId, from, to)
  for (let at = to; at >= from; at--) {
    const entry = moved.get(at)
    if (entry !== undefined) found.push(entry)
  }
  return found
}
