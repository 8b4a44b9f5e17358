import { entriesEnd, type LogBook } from './log-book.ts'
import type { LogEnd, LogEnds } from './log-end.ts'

/**
 * After a restore, removes entries from the segments that lie after the end known to the store. A backup reads the segments
 * after the store so that none are missing, so it may contain later ones.
 * [Note: A cut while a backup is made] Entries that an archive took during the backup are in neither part. So the backup
 * reads the ends once more at last, and a cut recorded there applies.
 * @param later the ends as they were once the segments had been read
 */
export async function trimToStore(
  { store, outbox, ends, frames, segments }: LogBook,
  later: Pick<LogEnds, 'look'>,
): Promise<void> {
  for (const accountId of await segments.accounts()) {
    const waiting = await outbox.after(accountId, 0, Number.POSITIVE_INFINITY)
    const read = await ends.read(accountId)
    const through = read === undefined ? 0 : entriesEnd(read.end, waiting)
    await segments.trim(accountId, through, (frame) => frames.part(accountId, frame, 0, through))
    const behind = read && behindCut(read.end, await later.look(accountId), through)
    if (behind === undefined) continue
    const numbers = waiting.map(({ number }) => number).filter((number) => number <= behind.taken)
    const writes = [ends.write(accountId, behind), ...outbox.remove(accountId, numbers)]
    await store.commit(writes, [read!.guard])
  }
}

/** The end, with a later end's cut. Entries that were still pending before the cut were moved with it. */
function behindCut(end: LogEnd, later: LogEnd | string, through: number): LogEnd | undefined {
  if (typeof later === 'string' || later.key !== end.key) return undefined
  const { cut } = later
  if (cut === undefined || cut.sequence <= (end.cut?.sequence ?? 0) || cut.sequence > through)
    return undefined
  const moved = Math.max(0, cut.sequence - end.sequence)
  return moved === 0 ? { ...end, cut } : { ...end, ...cut, cut, taken: end.taken + moved }
}
