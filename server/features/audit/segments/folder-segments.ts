import type { Clock } from '#server/platform/store/store.ts'
import { partBeyond, partUpTo } from './partial-frame.ts'
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
import type { AuditSegments, Frame } from './segments.ts'

/** The tolerated clock difference between machines at the beginning of a month. */
const monthsDifferByMilliseconds = 24 * 3600 * 1000

/**
 * Segments as files of up to 4 MiB, in a folder for each account. Each file belongs to a month, a process and a run of entries, and
 * is named by month, first sequence and process.
 * [Note: Nobody else adds to a file] Processes may share the folder, even on a network file system, because each appends only to its
 * own files, and only during the month in their names. A cut therefore only touches files from earlier months, which are complete.
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
      const frames = await unlessGone(framesIn(segment))
      // Another process has just made the same cut.
      if (frames === undefined) continue
      const kept = frames.flatMap((frame) => stays(frame) ?? [])
      if (kept.length < frames.length || kept.some((frame, i) => frame !== frames[i]))
        await writer.replace(accountId, segment, kept)
    }
  }

  return {
    append: writer.append,
    requireCut: async () => undefined,
    async *ascending(accountId, after) {
      for await (const frames of readInTurn(() => segmentsOf(accountId), framesIn))
        for (const frame of frames) if (frame.last > after) yield frame
    },
    async *descending(accountId, upTo) {
      const newest = async () => (await segmentsOf(accountId)).filter(({ first }) => first <= upTo).reverse()
      for await (const frames of readInTurn(newest, framesIn))
        for (const frame of frames.reverse()) if (frame.first <= upTo) yield frame
    },
    async oldest(accountId) {
      for await (const frames of readInTurn(() => segmentsOf(accountId), firstFramesIn)) {
        const found = frames.find(({ kind }) => kind === 'entries')
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

/**
 * The frames of each segment in order. [Note: A cut under a reader] If a segment disappears during the read, an archive
 * has just taken its frames, or moved the remaining ones into a new file, so new files are read as well.
 */
async function* readInTurn(
  list: () => Promise<Segment[]>,
  open: (segment: Segment) => Promise<Frame[]>,
): AsyncGenerator<Frame[]> {
  let left = await list()
  const known = new Set(left.map(({ name }) => name))
  for (let [segment] = left; segment !== undefined; [segment] = left) {
    left = left.slice(1)
    const frames = await unlessGone(open(segment))
    if (frames !== undefined) {
      yield frames
      continue
    }
    const waiting = new Set(left.map(({ name }) => name))
    left = (await list()).filter(({ name }) => waiting.has(name) || !known.has(name))
    for (const { name } of left) known.add(name)
  }
}

/** Undefined if the file was removed in the meantime. */
async function unlessGone<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
