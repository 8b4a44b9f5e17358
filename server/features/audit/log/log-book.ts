import type { SealedFrames } from '#server/features/audit/segments/sealed-frames.ts'
import type { AuditSegments } from '#server/features/audit/segments/segments.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { AuditEntry } from '#shared/contract/account/audit.ts'
import type { AuditHead, Withdrawal } from './chain.ts'
import { chained } from './chain.ts'
import type { LogEnd, LogEnds } from './log-end.ts'
import type { Outbox, Waiting } from './outbox.ts'

/** Told of each new end of a log, and of what its new entries say was revoked. */
export type OnAuditHead = (accountId: string, head: AuditHead, withdrawals: readonly Withdrawal[]) => void

/** Where logs are kept, and what with. */
export interface LogBook {
  readonly store: Store
  readonly outbox: Outbox
  readonly ends: LogEnds
  readonly frames: SealedFrames
  readonly segments: AuditSegments
  readonly now: Clock
}

/** Entries that wait, each with its place in the chain. */
export interface WaitingEntries {
  readonly entries: readonly AuditEntry[]
  /** The numbers that they have in the outbox. */
  readonly numbers: readonly number[]
  /** What is not there, or was altered, by the sequence that it would have. */
  readonly holes: readonly { readonly at: number; readonly fault: 'missing' | 'altered' }[]
}

/**
 * What waits behind the end of a log. [Note: Two processes make the same entries] They follow from the end and the numbers alone, so that it does not
 * matter which process moves them, or whether two do.
 */
export function waitingEntries(accountId: string, end: LogEnd, waiting: readonly Waiting[]): WaitingEntries {
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

/** Entries from one sequence to another, by their sequences, as far as they are there; of those that stand twice the ones that were written last. */
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

/** The sequence of the last entry, also of those that wait. */
export function entriesEnd(end: LogEnd, waiting: readonly Waiting[]): number {
  return end.sequence + Math.max(0, (waiting.at(-1)?.number ?? 0) - end.taken)
}
