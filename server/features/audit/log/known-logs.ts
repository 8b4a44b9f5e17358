import { type AuditHead, type Withdrawal, withdrawalsOf } from '#server/features/audit/chain.ts'
import type { AuditEntry } from '#shared/contract/account/audit.ts'
import type { LogBook } from './log-book.ts'
import type { LogEnd } from './log-end.ts'
import { readRecent } from './recent.ts'
import { createWalk } from './walk.ts'

/** A checkpoint is written after this many entries, or after this much time. */
export const checkpointEvery = 1000
const checkpointAfterMilliseconds = 60_000

/** The cached state of a log whose entries this process moves. */
export interface KnownLog extends AuditHead {
  readonly withdrawals: readonly Withdrawal[]
  /** How many entries there are since the last checkpoint, and the first one's time in milliseconds since 1970. */
  readonly since: number
  readonly from: number
  /** Nothing is signed unless it continues from what was signed before. */
  readonly isSound: boolean
}

/** Reads from the newest checkpoint on. */
export async function readKnown(book: LogBook, accountId: string, end: LogEnd): Promise<KnownLog> {
  const recent = await readRecent(book, accountId, end)
  const walk = createWalk({ accountId, key: end.key, from: recent?.checkpoint ?? { sequence: 0, hash: '' } })
  const entries = (recent?.entries ?? []).filter(({ sequence }) => sequence <= end.sequence)
  const leads = recent !== undefined && entries.every((entry) => walk.entry(entry) === undefined)
  const { sequence, hash } = end
  return {
    sequence,
    hash,
    withdrawals: walk.withdrawals,
    since: Math.min(entries.length, checkpointEvery - 1),
    from: book.now(),
    isSound: leads && walk.head.hash === hash,
  }
}

/** The state after entries were added. It is sound only if they are. */
export function withEntries(
  log: KnownLog,
  { sequence, hash }: AuditHead,
  entries: readonly AuditEntry[],
  areSound: boolean,
  now: number,
): KnownLog {
  const fresh = entries.flatMap(withdrawalsOf)
  return {
    sequence,
    hash,
    withdrawals: fresh.length > 0 ? [...log.withdrawals, ...fresh] : log.withdrawals,
    since: log.since + entries.length,
    from: log.since === 0 ? now : log.from,
    isSound: log.isSound && areSound,
  }
}

export function isDue({ since, from }: KnownLog, now: number): boolean {
  return since > 0 && now - from >= checkpointAfterMilliseconds
}

/** Writes a checkpoint after the last entry, unless the log does not lead there. */
export async function signed(
  { segments, frames, now }: LogBook,
  accountId: string,
  log: KnownLog,
): Promise<KnownLog> {
  const { sequence, hash, withdrawals } = log
  if (log.isSound && log.since > 0) {
    const time = new Date(now()).toISOString()
    await segments.append(accountId, [frames.checkpoint(accountId, { sequence, hash, time, withdrawals })])
  }
  return { ...log, since: 0 }
}
