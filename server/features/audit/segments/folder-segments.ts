import type { Clock } from '#server/platform/store/store.ts'
import {
  accountsIn,
  firstFramesIn,
  folderOfAccount,
  framesIn,
  monthOf,
  type Segment,
  segmentsIn,
} from './segment-files.ts'
import { createSegmentWriter } from './segment-writer.ts'
import type { AuditSegments, Frame, Split } from './segments.ts'

/** As far as the clocks of machines may be apart when a month begins. */
const monthsDifferByMilliseconds = 24 * 3600 * 1000

/**
 * Segments as files: a folder for each account; a file for each month, process and run of entries, named by month, first sequence and process, of 4 MiB.
 * [Note: Nobody else adds to a file] Processes may share the folder, on a network file system too: each adds to files of its own alone, and only while the
 * month of their names lasts. So a cut takes files of former months alone: nobody adds to them meanwhile.
 */
export function createFolderSegments(folder: string, now: Clock): AuditSegments {
  const writer = createSegmentWriter(folder, now)
  const segmentsOf = (accountId: string) => segmentsIn(folderOfAccount(folder, accountId))

  async function keep(
    accountId: string,
    isMeant: (segment: Segment) => boolean,
    stays: (frame: Frame) => Frame | undefined,
  ): Promise<void> {
    for (const segment of (await segmentsOf(accountId)).filter(isMeant)) {
      const frames = await framesIn(segment)
      const kept = frames.flatMap((frame) => stays(frame) ?? [])
      if (kept.length < frames.length || kept.some((frame, i) => frame !== frames[i]))
        await writer.replace(accountId, segment, kept)
    }
  }

  return {
    append: writer.append,
    async *ascending(accountId, after) {
      for (const segment of await segmentsOf(accountId))
        for (const frame of await framesIn(segment)) if (frame.last > after) yield frame
    },
    async *descending(accountId, upTo) {
      for (const segment of (await segmentsOf(accountId)).reverse()) {
        if (segment.first > upTo) continue
        for (const frame of (await framesIn(segment)).reverse()) if (frame.first <= upTo) yield frame
      }
    },
    async oldest(accountId) {
      for (const segment of await segmentsOf(accountId)) {
        const found = (await firstFramesIn(segment)).find(({ kind }) => kind === 'entries')
        if (found !== undefined) return found
      }
      return undefined
    },
    async cut(accountId, through, split) {
      const thisMonth = monthOf(now() - monthsDifferByMilliseconds)
      const isOver = ({ month, first }: Segment) => month < thisMonth && first <= through
      await keep(accountId, isOver, (frame) => partBeyond(frame, through, split))
    },
    trim: (accountId, through, split) =>
      keep(
        accountId,
        () => true,
        (frame) => partUpTo(frame, through, split),
      ),
    accounts: () => accountsIn(folder),
  }
}

/** A checkpoint at the cut itself stays: it says where what is left begins. */
function partBeyond(frame: Frame, through: number, split: Split): Frame | undefined {
  if (frame.kind === 'checkpoint') return frame.last >= through ? frame : undefined
  if (frame.last <= through) return undefined
  return frame.first > through ? frame : split(frame)
}

function partUpTo(frame: Frame, through: number, split: Split): Frame | undefined {
  if (frame.last <= through) return frame
  return frame.kind === 'checkpoint' || frame.first > through ? undefined : split(frame)
}
