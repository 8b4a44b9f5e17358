import { entriesEnd, type LogBook } from './log-book.ts'
import type { LogEnd, LogEnds } from './log-end.ts'

/**
 * Removes what stands in the segments behind the end that the store knows, after a restore: a backup reads the segments after the store, so that nothing
 * is missing there; what came in between is too much. [Note: A cut while a backup is made] What an archive took meanwhile is in none of them: so the backup has read the ends once more, at last, and what
 * they say of a cut counts.
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

/** The end where a later one says that more was archived; what still waited before the cut was moved with it. */
function behindCut(end: LogEnd, later: LogEnd | string, through: number): LogEnd | undefined {
  if (typeof later === 'string' || later.key !== end.key) return undefined
  const { cut } = later
  if (cut === undefined || cut.sequence <= (end.cut?.sequence ?? 0) || cut.sequence > through)
    return undefined
  const moved = Math.max(0, cut.sequence - end.sequence)
  return moved === 0 ? { ...end, cut } : { ...end, ...cut, cut, taken: end.taken + moved }
}
