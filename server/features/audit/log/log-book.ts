import type { AuditHead, Withdrawal } from '#server/features/audit/chain.ts'
import { chained } from '#server/features/audit/chain.ts'
import type { SealedFrames } from '#server/features/audit/segments/sealed-frames.ts'
import type { AuditSegments } from '#server/features/audit/segments/segments.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { AuditEntry } from '#shared/contract/account/audit.ts'
import type { LogEnd, LogEnds } from './log-end.ts'
import type { Outbox, PendingEvent } from './outbox.ts'

/** Receives each new head of a log, and the revocations in the log's new entries. */
export type OnAuditHead = (accountId: string, head: AuditHead, withdrawals: readonly Withdrawal[]) => void

/** The storage for logs, and their keys. */
export interface LogBook {
  readonly store: Store
  readonly outbox: Outbox
  readonly ends: LogEnds
  readonly frames: SealedFrames
  readonly segments: AuditSegments
  readonly now: Clock
}

/** Pending entries, each with its place in the chain. */
export interface WaitingEntries {
  readonly entries: readonly AuditEntry[]
  /** Their numbers in the outbox. */
  readonly numbers: readonly number[]
  /** Entries that are missing or were altered, by the sequence they would have. */
  readonly holes: readonly { readonly at: number; readonly fault: 'missing' | 'altered' }[]
}

/**
 * A log's pending entries. [Note: Two processes make the same entries] Entries depend only on the log's end and on their
 * numbers, so it does not matter which process moves them, or if two do.
 */
export function waitingEntries(
  accountId: string,
  end: LogEnd,
  waiting: readonly PendingEvent[],
): WaitingEntries {
  const { taken } = end
  const entries: AuditEntry[] = []
  const numbers: number[] = []
  const holes: { at: number; fault: 'missing' | 'altered' }[] = []
  let expected = taken + 1
  let { hash } = end
  for (const { number, event } of waiting) {
    if (number <= taken) continue
    const at = end.sequence + number - taken
    for (; expected < number; expected++)
      holes.push({ at: end.sequence + expected - taken, fault: 'missing' })
    expected = number + 1
    if (event === undefined) {
      holes.push({ at, fault: 'altered' })
      continue
    }
    const [entry] = chained(accountId, end.key, { sequence: at - 1, hash }, [event])
    hash = entry!.hash
    entries.push(entry!)
    numbers.push(number)
  }
  return { entries, numbers, holes }
}

/** The entries between two sequences, without missing ones. If an entry has duplicates, the one written last is used. */
export async function entriesBetween(
  { segments, frames }: LogBook,
  accountId: string,
  from: number,
  to: number,
): Promise<Map<number, AuditEntry>> {
  const found = new Map<number, AuditEntry>()
  if (to < from) return found
  for await (const frame of segments.descending(accountId, to)) {
    if (frame.kind !== 'entries' || frame.last < from) continue
    for (const entry of frames.openEntries(accountId, frame) ?? []) {
      const { sequence } = entry
      if (sequence >= from && sequence <= to && !found.has(sequence)) found.set(sequence, entry)
    }
    if (found.size === to - from + 1) break
  }
  return found
}

/** The last entry's sequence, including pending entries. */
export function entriesEnd(end: LogEnd, waiting: readonly PendingEvent[]): number {
  return end.sequence + Math.max(0, (waiting.at(-1)?.number ?? 0) - end.taken)
}
