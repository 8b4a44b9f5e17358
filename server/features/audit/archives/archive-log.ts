import type { AuditHead } from '#server/features/audit/log/chain.ts'
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

export interface Archived {
  readonly accountId: string
  readonly file: string
  /** The first and the last sequence in it. */
  readonly first: number
  readonly last: number
}

interface Place {
  readonly book: LogBook
  readonly keyRing: KeyRing
  /** Into which archives are written. */
  readonly archives: ArchivePlace
}

/**
 * Moves the entries of an account from before a time (milliseconds since 1970) into a file, as far as the newest checkpoint among them. [Note: Cut at a signed
 * checkpoint] What is left begins with that checkpoint, and the file ends with it: each proves the other. The file is read back and proven, under a name of its own, before it
 * gets its name and anything is cut. So whoever is killed can run it again: a whole file is taken as it is, and a cut that was noted is made. Undefined where there is nothing to archive.
 *
 * [Note: A killed run is finished first] If a run for an earlier day wrote a whole file but cut nothing, that file becomes the archive, and the next call
 * continues after it. A file up to the later day would repeat its entries, and the two would not follow on from each other.
 * @param noted what is committed with the note of the cut
 * @throws in words where the entries are not whole, the file is there and says something else, or another archive was made meanwhile: nothing is cut then
 */
export async function archiveLog(
  place: Place,
  accountId: string,
  before: number,
  noted: readonly Write[],
): Promise<Archived | undefined> {
  const { book, keyRing, archives } = place
  await book.segments.requireCut()
  const read = await book.ends.read(accountId)
  if (read === undefined) return undefined
  const { end } = read
  const from: AuditHead = end.cut ?? { sequence: 0, hash: '' }
  const checkpoints = await checkpointsBefore(book, accountId, from, end.sequence, before)
  const to = (await unfinishedEnd(place, accountId, from, checkpoints)) ?? checkpoints.at(-1)
  if (to === undefined) {
    // It may have been killed before the segments were cut.
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
 * Looks for another whole file that begins with the same entry. [Note: A file may have been taken over] A run for a later day may have cut up to
 * this file. If no other file begins here, this one is the only copy of its entries.
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

/** The end of a whole file that a killed run left behind, if the log has a checkpoint at that entry. */
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

/** The checkpoints before which there is nothing as young as the time, oldest first. */
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

/** The entries between, each once where a process moved them, then the checkpoint. */
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

/** Another archive was made of the same log, so that what this one holds is not what stands before the cut. */
class CutMeanwhile extends Error {}

/** [Note: One cut leads on from another] Only from where the file begins: else two archives overlap, or the log would begin before its first segment. */
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
      if (read === undefined) throw new Error('The end of the audit log is gone.')
      const { cut } = read.end
      if (isSame(cut, to)) return true
      if (!isSame(cut ?? { sequence: 0, hash: '' }, from))
        throw new CutMeanwhile(
          `Another archive of the audit log of ${accountId} was made meanwhile, up to entry ${cut?.sequence ?? 0}. This one has cut nothing: run it again.`,
        )
      const end: LogEnd = { ...read.end, cut: to }
      return (await store.commit([ends.write(accountId, end), ...noted], [read.guard])) || undefined
    },
    () => new Error('The audit log is being moved all the time.'),
  )
}

function isSame(one: AuditHead | undefined, other: AuditHead): boolean {
  return one?.sequence === other.sequence && one.hash === other.hash
}
