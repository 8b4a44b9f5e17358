import { unlessAltered } from './altered.ts'
import type { AuditHead } from './chain.ts'
import { checkpointEvery, type KnownLog, readKnown, signed, withEntries } from './known-logs.ts'
import type { LogBook } from './log-book.ts'
import type { LogEnd } from './log-end.ts'
import { createWalk } from './walk.ts'

const atOnce = 500

/**
 * Copies entries that a program before wrote into the store to the segments, as they are. [Note: Entries of programs before] What cannot be read is left out, and found by
 * whoever verifies. Goes on where it was cut short.
 */
export async function importFormer(book: LogBook, accountId: string, end: LogEnd): Promise<KnownLog> {
  const durable = await lastInSegments(book, accountId, end.sequence)
  let log = await readKnown(book, accountId, { ...end, ...durable })
  for (const places of placesBetween(durable.sequence + 1, end.sequence)) {
    const read = await Promise.all(
      places.map((place) => unlessAltered(book.former.get(accountId, String(place)))),
    )
    const entries = read.filter((entry) => entry !== undefined && entry !== 'altered')
    if (entries.length === 0) continue
    const walk = createWalk({ accountId, key: end.key, from: log })
    const areSound =
      entries.length === places.length && entries.every((entry) => walk.entry(entry) === undefined)
    await book.segments.append(accountId, [book.frames.entries(accountId, entries)])
    log = withEntries(log, entries.at(-1)!, entries, areSound, book.now())
    if (log.since >= checkpointEvery) log = await signed(book, accountId, log)
  }
  return signed(book, accountId, log)
}

/** Removes them from the store, once they are in the segments. */
export async function removeFormer(
  { store, former }: LogBook,
  accountId: string,
  through: number,
): Promise<void> {
  for (const places of placesBetween(1, through))
    await store.commit(
      places.map((place) => former.write(accountId, String(place), undefined)),
      [],
    )
}

async function lastInSegments(
  { segments, frames }: LogBook,
  accountId: string,
  upTo: number,
): Promise<AuditHead> {
  for await (const frame of segments.descending(accountId, upTo)) {
    const entry = frames.openEntries(accountId, frame)?.findLast(({ sequence }) => sequence <= upTo)
    if (entry !== undefined) return { sequence: entry.sequence, hash: entry.hash }
  }
  return { sequence: 0, hash: '' }
}

function* placesBetween(first: number, last: number): Generator<number[]> {
  for (let at = first; at <= last; at += atOnce)
    yield Array.from({ length: Math.min(atOnce, last - at + 1) }, (_, i) => at + i)
}
