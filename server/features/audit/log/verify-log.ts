import { type AuditHead, type ChainVerdict, faulty } from '#server/features/audit/chain.ts'
import { loopTurns } from '#server/platform/running/loop-turns.ts'
import type { AuditEntry } from '#shared/contract/account/audit.ts'
import { entriesBetween, type LogBook, type WaitingEntries, waitingEntries } from './log-book.ts'
import type { LogEnd } from './log-end.ts'
import { readRecent } from './recent.ts'
import { type ChainFault, createWalk, type Walk } from './walk.ts'

const mostBeyond = 5000

/** A log's state at one moment. */
interface LogState {
  readonly end: LogEnd
  readonly waiting: WaitingEntries
}

type LaterHashes = Map<number, string>

/** Pending entries after the end are read first: an entry that moves in the meantime is in both places, never in neither. */
export async function readLogState(book: LogBook, accountId: string): Promise<LogState | ChainVerdict> {
  const waiting = await book.outbox.after(accountId, 0, Number.POSITIVE_INFINITY)
  const end = await book.ends.look(accountId)
  if (typeof end === 'string') return faulty(end, null, 0, null)
  return { end, waiting: waitingEntries(accountId, end, waiting) }
}

/** Walks the whole chain, from its beginning or from the last archived entry. */
export function verifyWhole(book: LogBook, accountId: string, kept?: AuditHead): Promise<ChainVerdict> {
  return unlessMoved(book, accountId, () => walkWhole(book, accountId, kept))
}

/** How often a log that changed in the meantime is verified again. */
const mostLooks = 5

/**
 * [Note: A fault of a log at rest] A read during a move may miss an entry that has just left its place. A fault counts only
 * if the log's end is the same before and after.
 */
async function unlessMoved(
  { ends }: LogBook,
  accountId: string,
  verify: () => Promise<ChainVerdict>,
): Promise<ChainVerdict> {
  for (let look = 1; ; look++) {
    const before = await ends.look(accountId)
    const verdict = await verify()
    if (verdict.valid || look === mostLooks || isSameEnd(before, await ends.look(accountId))) return verdict
  }
}

function isSameEnd(one: LogEnd | string, other: LogEnd | string): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other
  return one.sequence === other.sequence && one.taken === other.taken
}

async function walkWhole(book: LogBook, accountId: string, kept?: AuditHead): Promise<ChainVerdict> {
  const standing = await readLogState(book, accountId)
  if ('valid' in standing) return standing
  const { end } = standing
  const from = await findBeginning(book, accountId, end)
  if (from === undefined) return at({ fault: 'missing', at: end.cut!.sequence }, 0, standing)
  const walk = createWalk({ accountId, key: end.key, from, kept })
  const beyond: LaterHashes = new Map()
  const fault = cutFault(end, kept) ?? (await walkSegments(book, accountId, end, walk, beyond))
  return judged(book, accountId, standing, walk, fault, kept, beyond)
}

/**
 * Walks from the newest checkpoint, and checks that the entry with the recorded hash is unchanged. Walks the whole log if
 * there is no checkpoint.
 */
export function verifyRecent(book: LogBook, accountId: string, kept?: AuditHead): Promise<ChainVerdict> {
  return unlessMoved(book, accountId, () => walkRecent(book, accountId, kept))
}

async function walkRecent(book: LogBook, accountId: string, kept?: AuditHead): Promise<ChainVerdict> {
  const standing = await readLogState(book, accountId)
  if ('valid' in standing) return standing
  const { end } = standing
  const recent = await readRecent(book, accountId, end)
  if (recent === undefined) return walkWhole(book, accountId, kept)
  const from = recent.checkpoint ?? { sequence: 0, hash: '' }
  const walk = createWalk({ accountId, key: end.key, from, kept })
  const beyond: LaterHashes = new Map()
  let fault: ChainFault | undefined
  for (const entry of recent.entries) {
    if (entry.sequence > end.sequence) beyond.set(entry.sequence, entry.hash)
    else fault ??= walk.entry(entry)
    if (loopTurns.isOver()) await loopTurns.next()
  }
  if (recent.rewrittenAt !== undefined && recent.rewrittenAt <= end.sequence)
    fault ??= { fault: 'rewritten', at: recent.rewrittenAt }
  fault ??= await earlierFault(book, accountId, end, from.sequence, kept)
  return judged(book, accountId, standing, walk, fault, kept, beyond)
}

/** Compares an entry from before the checkpoint with the recorded hash. */
async function earlierFault(
  book: LogBook,
  accountId: string,
  end: LogEnd,
  from: number,
  kept: AuditHead | undefined,
): Promise<ChainFault | undefined> {
  if (kept === undefined || kept.sequence > from || kept.sequence < 1) return undefined
  const { sequence } = kept
  if (end.cut !== undefined && sequence <= end.cut.sequence) return cutFault(end, kept)
  const entry = (await entriesBetween(book, accountId, sequence, sequence)).get(sequence)
  if (entry === undefined) return { fault: 'missing', at: sequence }
  return entry.hash === kept.hash ? undefined : { fault: 'rewritten', at: sequence }
}

/** Archived entries are verified with their file. Only the entry at the cut can be compared here. */
function cutFault({ cut }: LogEnd, kept: AuditHead | undefined): ChainFault | undefined {
  if (cut === undefined || kept?.sequence !== cut.sequence || kept.hash === cut.hash) return undefined
  return { fault: 'rewritten', at: cut.sequence }
}

/** The starting point of the walk: cutting off an archive leaves the checkpoint at its end. Undefined if the checkpoint is missing. */
async function findBeginning(
  { segments, frames }: LogBook,
  accountId: string,
  { cut }: LogEnd,
): Promise<Parameters<typeof createWalk>[0]['from'] | undefined> {
  if (cut === undefined) return { sequence: 0, hash: '' }
  for await (const frame of segments.ascending(accountId, cut.sequence - 1)) {
    if (frame.kind !== 'checkpoint') continue
    const found = frames.openCheckpoint(accountId, frame)
    if (found?.sequence === cut.sequence && found.hash === cut.hash) return found
  }
  return undefined
}

async function walkSegments(
  { segments, frames }: LogBook,
  accountId: string,
  end: LogEnd,
  walk: Walk,
  beyond: LaterHashes,
): Promise<ChainFault | undefined> {
  const cut = end.cut?.sequence ?? 0
  for await (const frame of segments.ascending(accountId, cut)) {
    if (frame.kind === 'checkpoint') {
      const checkpoint = frames.openCheckpoint(accountId, frame)
      const fault = checkpoint ? walk.checkpoint(checkpoint) : ({ fault: 'altered', at: frame.last } as const)
      if (fault !== undefined) return fault
      continue
    }
    const entries = frames.openEntries(accountId, frame)
    if (entries === undefined) return { fault: 'altered', at: frame.first }
    for (const entry of entries) {
      if (entry.sequence <= cut) continue
      if (entry.sequence > end.sequence) {
        if (beyond.size < mostBeyond) beyond.set(entry.sequence, entry.hash)
        continue
      }
      const fault = walk.entry(entry)
      if (fault !== undefined) return fault
      if (loopTurns.isOver()) await loopTurns.next()
    }
  }
  return undefined
}

/** The remaining checks after the segments: the end, pending entries, and entries that must not exist. */
async function judged(
  book: LogBook,
  accountId: string,
  standing: LogState,
  walk: Walk,
  fault: ChainFault | undefined,
  kept: AuditHead | undefined,
  beyond: LaterHashes,
): Promise<ChainVerdict> {
  const { end, waiting } = standing
  const start = end.cut?.sequence ?? 0
  const found = fault ?? endFault(end, walk) ?? waitingFault(waiting, walk)
  if (found !== undefined) return at(found, start, standing)
  const { head } = walk
  if (kept !== undefined && kept.sequence > head.sequence)
    return at({ fault: 'missing', at: head.sequence + 1 }, start, standing)
  const extra = await beyondFault(book, accountId, end, walk, beyond)
  if (extra !== undefined) return at(extra, start, standing)
  const checked = head.sequence - start
  return { valid: true, checked, fault: null, faultAt: null, head, withdrawals: walk.withdrawals }
}

function endFault(end: LogEnd, { head }: Walk): ChainFault | undefined {
  if (head.sequence < end.sequence) return { fault: 'missing', at: head.sequence + 1 }
  return head.hash === end.hash ? undefined : { fault: 'altered', at: end.sequence }
}

function waitingFault({ entries, holes }: WaitingEntries, walk: Walk): ChainFault | undefined {
  const [hole] = holes
  for (const entry of entries) {
    if (hole !== undefined && entry.sequence > hole.at) break
    const fault = walk.entry(entry)
    if (fault !== undefined) return fault
  }
  return hole
}

/**
 * [Note: A log grows while it is walked] Entries in the segments after the log's end are correct if they are also pending,
 * because they are being moved, or if the end has advanced in the meantime.
 */
async function beyondFault(
  book: LogBook,
  accountId: string,
  end: LogEnd,
  walk: Walk,
  beyond: LaterHashes,
): Promise<ChainFault | undefined> {
  for (const [sequence, hash] of beyond) {
    const known = walk.hashAt(sequence)
    if (known === hash) continue
    if (known !== undefined) return { fault: 'rewritten', at: sequence }
    const now = await readLogState(book, accountId)
    const leads = !('valid' in now) && now.end.sequence + now.waiting.entries.length >= sequence
    if (!leads) return { fault: 'headAltered', at: end.sequence + 1 }
  }
  return undefined
}

function at({ fault, at: faultAt }: ChainFault, start: number, { end, waiting }: LogState): ChainVerdict {
  const last: AuditEntry | undefined = waiting.entries.at(-1)
  const head = last ?? end
  return faulty(fault, faultAt, Math.max(0, faultAt - 1 - start), {
    sequence: head.sequence,
    hash: head.hash,
  })
}
