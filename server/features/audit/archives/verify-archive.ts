import { setImmediate } from 'node:timers/promises'
import { type ChainFault, createWalk, type Walk } from '#server/features/audit/log/walk.ts'
import { createSealedFrames, type SealedFrames } from '#server/features/audit/segments/sealed-frames.ts'
import type { Frame } from '#server/features/audit/segments/segments.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { type ArchiveHead, openArchive } from './archive-file.ts'
import type { ArchiveSource } from './archive-place.ts'

export interface ProvenArchive extends ArchiveHead {
  /** The file's path, or the name in the database. */
  readonly file: string
  readonly entries: number
}

/**
 * Walks an archive from beginning to end and compares the result with the final checkpoint.
 * @throws an Error that explains what is wrong, and with which entry
 */
export async function verifyArchive(source: ArchiveSource, keyRing: KeyRing): Promise<ProvenArchive> {
  const { called: file } = source
  const { head, frames: read } = await openArchive(source, keyRing)
  const { accountId, from, to } = head
  const key = keyRing.open('audit-archive-key', accountId, head.sealedKey).toString('hex')
  const frames = createSealedFrames(keyRing)
  const walk = createWalk({ accountId, key, from })
  let isSigned = false
  for await (const frame of read()) {
    const fault = step(frames, accountId, walk, frame)
    if (fault !== undefined) throw new Error(`${file} is not complete: ${fault.fault} at entry ${fault.at}.`)
    isSigned = frame.kind === 'checkpoint' && frame.last === to.sequence
    await setImmediate()
  }
  const end = walk.head
  if (end.sequence < to.sequence)
    throw new Error(`${file} is not complete: missing at entry ${end.sequence + 1}.`)
  if (end.hash !== to.hash || !isSigned)
    throw new Error(`${file} is not complete: the checkpoint at its end is missing, at entry ${to.sequence}.`)
  return { ...head, file, entries: to.sequence - from.sequence }
}

function step(frames: SealedFrames, accountId: string, walk: Walk, frame: Frame): ChainFault | undefined {
  if (frame.kind === 'checkpoint') {
    const checkpoint = frames.openCheckpoint(accountId, frame)
    return checkpoint ? walk.checkpoint(checkpoint) : { fault: 'altered', at: frame.last }
  }
  const entries = frames.openEntries(accountId, frame)
  if (entries === undefined) return { fault: 'altered', at: frame.first }
  for (const entry of entries) {
    const fault = walk.entry(entry)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Describes the gaps between an account's archives, which are sorted in place. */
export function gapsBetween(archives: ProvenArchive[]): string[] {
  archives.sort((a, b) => a.accountId.localeCompare(b.accountId) || a.from.sequence - b.from.sequence)
  return archives.flatMap((next, i) => {
    const before = archives[i - 1]
    if (before === undefined || before.accountId !== next.accountId) return []
    if (before.to.sequence === next.from.sequence && before.to.hash === next.from.hash) return []
    return [
      `${next.file} does not continue from ${before.file}: one ends at entry ${before.to.sequence}, the other begins after ${next.from.sequence}.`,
    ]
  })
}
