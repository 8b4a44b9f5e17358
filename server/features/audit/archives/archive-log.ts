import type { AuditHead } from '#server/features/audit/chain.ts'
import type { LogBook } from '#server/features/audit/log/log-book.ts'
import type { LogEnd } from '#server/features/audit/log/log-end.ts'
import type { Frame } from '#server/features/audit/segments/segments.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Write } from '#server/platform/store/store.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { ArchiveHead } from './archive-file.ts'
import type { ArchivePlace } from './archive-place.ts'
import { placeArchive } from './place-archive.ts'
import { verifyArchive } from './verify-archive.ts'

export interface ArchivedMonth {
  readonly accountId: string
  readonly file: string
  /** The sequences of its first and last entries. */
  readonly first: number
  readonly last: number
}

interface Place {
  readonly book: LogBook
  readonly keyRing: KeyRing
  /** The place where archives are stored. */
  readonly archives: ArchivePlace
}

/**
 * Moves an account's entries from before a time (milliseconds since 1970) into a file, up to the newest checkpoint among
 * them. [Note: Cut at a signed checkpoint] The rest of the log begins with that checkpoint, and the file ends with it, so
 * each proves the other. The file is written under a temporary name, and read back and verified before it gets its name
 * and anything is cut. A killed run can therefore be repeated: a complete file is accepted as it is, and a recorded cut
 * is completed. Undefined if there is nothing to archive.
 *
 * [Note: A killed run is finished first] If a run for an earlier day wrote a complete file but cut nothing, that file
 * becomes the archive, and the next call continues after it. A file up to the later day would repeat its entries, and the
 * two would not be consecutive.
 * @param noted writes for the commit that records the cut
 * @throws an Error if the entries are incomplete, the file exists with other content, or another archive was made in the
 * meantime; nothing is cut then
 */
export async function archiveLog(
  place: Place,
  accountId: string,
  before: number,
  noted: readonly Write[],
): Promise<ArchivedMonth | undefined> {
  const { book, keyRing, archives } = place
  await book.segments.requireCut()
  const read = await book.ends.read(accountId)
  if (read === undefined) return undefined
  const { end } = read
  const from: AuditHead = end.cut ?? { sequence: 0, hash: '' }
  const checkpoints = await checkpointsBefore(book, accountId, from, end.sequence, before)
  const to = (await unfinishedEnd(place, accountId, from, checkpoints)) ?? checkpoints.at(-1)
  if (to === undefined) {
    // A previous run may have been killed before the segments were cut.
    if (end.cut !== undefined) await cutSegments(book, accountId, end.cut)
    return undefined
  }
  const name = nameOfArchive(accountId, from.sequence + 1, to.sequence)
  const sealedKey = keyRing.seal('audit-archive-key', accountId, Buffer.from(end.key, 'hex'))
  const head: ArchiveHead = { accountId, from, to, sealedKey }
  const isNew = await placeArchive(archives, name, head, keyRing, framesUpTo(book, accountId, from, to))
  try {
    await noteCut(book, accountId, from, to, noted)
  } catch (error) {
    const isRedundant = isNew && error instanceof CutMeanwhile && (await hasOther(place, accountId, from, to))
    if (isRedundant) await archives.remove(name)
    throw error
  }
  await cutSegments(book, accountId, to)
  return { accountId, file: archives.source(name).called, first: from.sequence + 1, last: to.sequence }
}

async function cutSegments({ segments, frames }: LogBook, accountId: string, { sequence }: AuditHead) {
  await segments.cut(accountId, sequence, (frame) =>
    frames.part(accountId, frame, sequence, Number.MAX_SAFE_INTEGER),
  )
}

function nameOfArchive(accountId: string, first: number, last: number): string {
  const digits = (sequence: number) => String(sequence).padStart(9, '0')
  return `${accountId}-${digits(first)}-${digits(last)}.audit`
}

/**
 * Looks for another complete file that begins with the same entry. [Note: A file may have been taken over] A run for a later
 * day may have cut up to this file. If no other file begins here, this one is the only copy of its entries.
 */
async function hasOther({ keyRing, archives }: Place, accountId: string, from: AuditHead, to: AuditHead) {
  const own = nameOfArchive(accountId, from.sequence + 1, to.sequence)
  const beginning = own.slice(0, own.lastIndexOf('-') + 1)
  const isOther = (name: string) => name !== own && name.startsWith(beginning)
  for (const name of (await archives.names()).filter(isOther)) {
    const found = await verifyArchive(archives.source(name), keyRing).catch(() => undefined)
    if (found !== undefined && isSame(found.from, from)) return true
  }
  return false
}

/** The end of a complete file left behind by a killed run, if the log has a checkpoint at that entry. */
async function unfinishedEnd(
  { keyRing, archives }: Place,
  accountId: string,
  from: AuditHead,
  checkpoints: readonly AuditHead[],
): Promise<AuditHead | undefined> {
  const names = await archives.names()
  for (const to of checkpoints) {
    const name = nameOfArchive(accountId, from.sequence + 1, to.sequence)
    if (!names.includes(name)) continue
    const found = await verifyArchive(archives.source(name), keyRing).catch(() => undefined)
    if (found?.accountId === accountId && isSame(found.from, from) && isSame(found.to, to)) return to
  }
  return undefined
}

/** The checkpoints preceded only by entries older than the given time, oldest first. */
async function checkpointsBefore(
  { segments, frames }: LogBook,
  accountId: string,
  from: AuditHead,
  upTo: number,
  before: number,
): Promise<AuditHead[]> {
  const found: AuditHead[] = []
  for await (const frame of segments.ascending(accountId, from.sequence)) {
    if (frame.last > upTo) break
    if (frame.kind === 'entries') {
      if (frame.time >= before) break
      continue
    }
    const checkpoint = frames.openCheckpoint(accountId, frame)
    if (checkpoint !== undefined) found.push({ sequence: checkpoint.sequence, hash: checkpoint.hash })
  }
  return found
}

/** The entries in between, once each even if a process has moved them, and then the checkpoint. */
async function* framesUpTo(
  { segments, frames }: LogBook,
  accountId: string,
  from: AuditHead,
  to: AuditHead,
): AsyncGenerator<Frame> {
  let last: Frame | undefined
  for await (const frame of segments.ascending(accountId, from.sequence)) {
    if (frame.first > to.sequence) break
    const isLast = frame.kind === 'checkpoint' && frame.last === to.sequence
    if (isLast) last = frame
    if (isLast || frame.last > to.sequence) {
      const part = isLast ? undefined : partOf(frame)
      if (part !== undefined) yield part
      continue
    }
    const part = frame.first <= from.sequence ? partOf(frame) : frame
    if (part !== undefined) yield part
  }
  if (last !== undefined) yield last

  function partOf(frame: Frame): Frame | undefined {
    return frame.kind === 'checkpoint' ? undefined : frames.part(accountId, frame, from.sequence, to.sequence)
  }
}

/** Another archive was made from the same log, so this one does not match the entries before the cut. */
class CutMeanwhile extends Error {}

/**
 * [Note: One cut leads on from another] A cut is accepted only at the point where the file begins. Otherwise, two archives
 * could overlap, or the log could begin before its first segment.
 */
async function noteCut(
  { store, ends }: LogBook,
  accountId: string,
  from: AuditHead,
  to: AuditHead,
  noted: readonly Write[],
): Promise<void> {
  await retryOnConflict(
    async () => {
      const read = await ends.read(accountId)
      if (read === undefined) throw new Error('The end of the audit log is missing.')
      const { cut } = read.end
      if (isSame(cut, to)) return true
      if (!isSame(cut ?? { sequence: 0, hash: '' }, from))
        throw new CutMeanwhile(
          `Another archive of the audit log of ${accountId} was made at the same time, up to entry ${cut?.sequence ?? 0}. This one has cut nothing: run it again.`,
        )
      const end: LogEnd = { ...read.end, cut: to }
      return (await store.commit([ends.write(accountId, end), ...noted], [read.guard])) || undefined
    },
    () => new Error('The audit log is being moved continuously. Try again later.'),
  )
}

function isSame(one: AuditHead | undefined, other: AuditHead): boolean {
  return one?.sequence === other.sequence && one.hash === other.hash
}
