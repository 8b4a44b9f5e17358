import type { Checkpoint } from '#server/features/audit/segments/sealed-frames.ts'
import { loopTurns } from '#server/platform/running/loop-turns.ts'
import type { AuditEntry } from '#shared/contract/account/audit.ts'
import type { LogBook } from './log-book.ts'
import type { LogEnd } from './log-end.ts'

/** A checkpoint follows every thousand entries. If there is none within this many, there is none to rely on. */
const mostEntries = 20_000

/** The newest checkpoint, and the entries after it in the segments. */
export interface RecentEntries {
  /** Undefined for the beginning of the log. */
  readonly checkpoint: Checkpoint | undefined
  /** Sorted by sequence, without duplicates, including entries after the end. */
  readonly entries: readonly AuditEntry[]
  /** The sequence of an entry that has two differing copies. */
  readonly rewrittenAt: number | undefined
}

/**
 * Reads a log from its end back to the newest checkpoint. [Note: A start reads what is new] However long a log is, this is a
 * thousand entries or a minute's worth. Undefined if there is no checkpoint within the limit, or entries are missing, in
 * which case the whole log has to be walked.
 */
export async function readRecent(
  { segments, frames }: LogBook,
  accountId: string,
  end: LogEnd,
): Promise<RecentEntries | undefined> {
  const found = new Map<number, AuditEntry>()
  let rewrittenAt: number | undefined
  const isCoveredFrom = (from: number) => {
    for (let at = from + 1; at <= end.sequence; at++) if (!found.has(at)) return false
    return true
  }
  const recent = (checkpoint: Checkpoint | undefined): RecentEntries => {
    const from = checkpoint?.sequence ?? 0
    const entries = [...found.values()].filter(({ sequence }) => sequence > from)
    return { checkpoint, entries: entries.sort((a, b) => a.sequence - b.sequence), rewrittenAt }
  }
  for await (const frame of segments.descending(accountId, Number.MAX_SAFE_INTEGER)) {
    if (loopTurns.isOver()) await loopTurns.next()
    if (frame.kind === 'checkpoint') {
      const checkpoint = frames.openCheckpoint(accountId, frame)
      const isOfUse = checkpoint !== undefined && checkpoint.sequence <= end.sequence
      if (isOfUse && isCoveredFrom(checkpoint.sequence)) return recent(checkpoint)
      continue
    }
    for (const entry of frames.openEntries(accountId, frame) ?? []) {
      const known = found.get(entry.sequence)
      if (known !== undefined && known.hash !== entry.hash)
        rewrittenAt = Math.min(rewrittenAt ?? entry.sequence, entry.sequence)
      if (known === undefined) found.set(entry.sequence, entry)
    }
    if (found.size > mostEntries) return undefined
  }
  return end.cut === undefined && isCoveredFrom(0) ? recent(undefined) : undefined
}
