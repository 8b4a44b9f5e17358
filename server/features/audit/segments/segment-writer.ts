import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '#server/platform/running/sync-folder.ts'
import type { Clock } from '#server/platform/store/store.ts'
import { packFrame } from './frame-bytes.ts'
import { appendDurably, folderOfAccount, monthOf, nameOfSegment, type Segment } from './segment-files.ts'
import type { Frame } from './segments.ts'

/** A segment that reaches this size is followed by a new one. */
const mostSegmentBytes = 4 * 2 ** 20

/** The segment that a process appends to. */
interface OpenSegment {
  readonly path: string
  readonly month: string
  readonly last: number
  readonly bytes: number
}

/** Writes a process's files. */
export interface SegmentWriter {
  append(accountId: string, frames: readonly Frame[]): Promise<void>
  /** Keeps only some frames in a file that is no longer appended to. */
  replace(accountId: string, segment: Segment, kept: readonly Frame[]): Promise<void>
}

export function createSegmentWriter(folder: string, now: Clock): SegmentWriter {
  const process = `${now().toString(36).padStart(9, '0')}${randomBytes(6).toString('hex')}`
  const growing = new Map<string, OpenSegment>()

  async function begin(accountId: string, first: number, month: string): Promise<OpenSegment> {
    const own = folderOfAccount(folder, accountId)
    await mkdir(own, { recursive: true, mode: 0o700 })
    // The random part distinguishes a second file that starts at the same entry, so that no file is written twice.
    const name = nameOfSegment(month, first, `${process}-${randomBytes(3).toString('hex')}`)
    return { path: join(own, name), month, last: first - 1, bytes: 0 }
  }

  return {
    async append(accountId, frames) {
      const month = monthOf(now())
      for (let at = 0; at < frames.length; ) {
        const known = growing.get(accountId)
        const goes = goesOn(known, frames[at]!, month)
        let segment = goes ? known! : await begin(accountId, frames[at]!.first, month)
        const isNewIn = segment.bytes === 0 ? folderOfAccount(folder, accountId) : undefined
        const lot: Buffer[] = []
        do {
          const { last } = frames[at]!
          const bytes = packFrame(frames[at++]!)
          lot.push(bytes)
          segment = { ...segment, last, bytes: segment.bytes + bytes.length }
        } while (at < frames.length && goesOn(segment, frames[at]!, month))
        // A failed write may leave part of a frame, so nothing more is appended to that file.
        growing.delete(accountId)
        await appendDurably(segment.path, Buffer.concat(lot), isNewIn)
        growing.set(accountId, segment)
      }
    },
    async replace(accountId, { path, month }, kept) {
      growing.delete(accountId)
      const [first] = kept
      if (first !== undefined) {
        const { path: next } = await begin(accountId, first.first, month)
        await appendDurably(`${next}.part`, Buffer.concat(kept.map(packFrame)))
        await rename(`${next}.part`, next)
        await syncFolder(folderOfAccount(folder, accountId))
      }
      await rm(path, { force: true })
    },
  }
}

/** True if a frame can be appended to the previous segment. */
function goesOn(known: OpenSegment | undefined, frame: Frame, month: string): boolean {
  if (known === undefined || known.month !== month || known.bytes >= mostSegmentBytes) return false
  return frame.kind === 'checkpoint' ? known.last === frame.last : known.last === frame.first - 1
}
