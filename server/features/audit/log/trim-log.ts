import { entriesEnd, type LogBook } from './log-book.ts'

/**
 * Removes what stands in the segments behind the end that the store knows, after a restore: a backup reads the segments after the store, so that nothing
 * is missing there; what came in between is too much.
 */
export async function trimToStore({ outbox, ends, frames, segments }: LogBook): Promise<void> {
  for (const accountId of await segments.accounts()) {
    const waiting = await outbox.after(accountId, 0, Number.POSITIVE_INFINITY)
    const read = await ends.read(accountId)
    const through = read === undefined ? 0 : entriesEnd(read.end, waiting)
    await segments.trim(accountId, through, (frame) => frames.part(accountId, frame, 0, through))
  }
}
