import { withdrawalsOf } from '#server/features/audit/chain.ts'
import { sameBytes } from '#server/platform/store/same-bytes.ts'
import type { Guard } from '#server/platform/store/store.ts'
import { checkpointEvery, isDue, type KnownLog, readKnown, signed, withEntries } from './known-logs.ts'
import { type LogBook, type OnAuditHead, waitingEntries } from './log-book.ts'
import { type LogEnd, type LogEnds, newEnd, type ReadEnd } from './log-end.ts'

/** Moves entries from the outbox to the segments, and signs checkpoints. */
export interface LogMover {
  /** Moves all accounts' pending entries. Signs the checkpoints that are due, or all possible ones. */
  moveAll(signs: 'due' | 'all'): Promise<void>
}

/** A mover's dependencies, and its cache. */
interface MoverParts {
  readonly book: LogBook
  readonly known: Map<string, KnownLog>
  readonly onHead: OnAuditHead
}

/**
 * [Note: Nothing is lost between outbox and segment] Entries are flushed to disk before they leave the outbox, in the same
 * commit as the log's new end. A process killed in between leaves them in both places, with the same sequences and
 * hashes, and they are read once.
 */
export function createLogMover(book: LogBook, onHead: OnAuditHead): LogMover {
  const moving: MoverParts = { book, known: new Map(), onHead }
  return {
    async moveAll(signs) {
      for (const accountId of await book.outbox.accounts())
        while (await moveSome(moving, accountId)) {
          // Repeats until nothing is pending.
        }
      for (const [accountId, log] of moving.known)
        if (isDue(log, book.now()) || (signs === 'all' && log.since > 0))
          moving.known.set(accountId, await signed(book, accountId, log))
    },
  }
}

/** Returns true if there may be more. */
async function moveSome(moving: MoverParts, accountId: string): Promise<boolean> {
  const { ends } = moving.book
  const { end, guard } = (await ends.read(accountId)) ?? { end: newEnd(), guard: ends.absent(accountId) }
  const log = await readKnownLog(moving, accountId, end)
  return moveWaiting(moving, accountId, { end, guard }, log)
}

async function moveWaiting(
  { book, known, onHead }: MoverParts,
  accountId: string,
  { end, guard }: ReadEnd,
  log: KnownLog,
): Promise<boolean> {
  const { store, outbox, ends, frames, segments } = book
  const room = checkpointEvery - log.since
  const waiting = await outbox.after(accountId, end.taken, room)
  if (waiting.length === 0) return false
  if (!(await isStill(ends, accountId, guard))) return true
  const { entries, numbers, holes } = waitingEntries(accountId, end, waiting)
  if (entries.length > 0) await segments.append(accountId, [frames.entries(accountId, entries)])
  const taken = waiting.at(-1)!.number
  const head = { sequence: end.sequence + taken - end.taken, hash: entries.at(-1)?.hash ?? end.hash }
  const writes = [ends.write(accountId, { ...end, ...head, taken }), ...outbox.remove(accountId, numbers)]
  if (!(await store.commit(writes, [guard]))) {
    known.delete(accountId)
    return true
  }
  onHead(accountId, head, entries.flatMap(withdrawalsOf))
  const now = withEntries(log, head, entries, holes.length === 0, book.now())
  known.set(accountId, now.since >= checkpointEvery ? await signed(book, accountId, now) : now)
  return waiting.length === room
}

/**
 * [Note: Looked at again] The entries read from the outbox follow the log's end only if the end is unchanged. Another process
 * may have moved the first of them before the rest was read.
 */
async function isStill(ends: LogEnds, accountId: string, guard: Guard): Promise<boolean> {
  const now = await ends.read(accountId)
  return sameBytes(now?.guard.value, guard.value)
}

async function readKnownLog({ book, known }: MoverParts, accountId: string, end: LogEnd): Promise<KnownLog> {
  const log = known.get(accountId)
  if (log?.sequence === end.sequence && log.hash === end.hash) return log
  const fresh = await readKnown(book, accountId, end)
  known.set(accountId, fresh)
  return fresh
}
