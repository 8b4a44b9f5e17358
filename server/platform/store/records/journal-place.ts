import type { JournalLines } from './journal-lines.ts'
import { digestOf } from './journal-lines.ts'

/** A journal line, without its terminator. */
export interface LineOfJournal {
  readonly line: Buffer
  /** False only for a last line that was cut short while it was being written. */
  readonly hasEnd: boolean
}

/** Storage for a journal's lines: a file, or rows on a PostgreSQL server. Several processes may share it. */
export interface JournalPlace {
  /** For error messages. */
  readonly name: string
  exists(): Promise<boolean>
  /** All lines, in the order in which they were added. */
  lines(): AsyncIterable<LineOfJournal>
  /** Appends signed lines with their terminators, and flushes them to disk. @throws if there is not enough room for all of them */
  append(entries: readonly Buffer[], lines: JournalLines): Promise<void>
}

const linesAtOnce = 500

/** A journal's complete lines, in batches. */
export async function* inLots(lines: AsyncIterable<LineOfJournal>): AsyncGenerator<Buffer[]> {
  let lot: Buffer[] = []
  for await (const { line, hasEnd } of lines) {
    if (hasEnd) lot.push(line)
    if (lot.length < linesAtOnce) continue
    yield lot
    lot = []
  }
  if (lot.length > 0) yield lot
}

/**
 * Digest of the last complete line of a journal. A backup stores it to mark the point from which the journal records
 * later changes. [Note: A line, and no clock] Clocks of two machines differ. A restore that went by timestamps could
 * remove a record that was removed and re-created under one name just before the backup. Undefined if there is no
 * journal, or no line in it yet.
 */
export async function readLastLine(place: JournalPlace | undefined): Promise<string | undefined> {
  let last: Buffer | undefined
  for await (const { line, hasEnd } of linesIn(place)) if (hasEnd) last = line
  return last && digestOf(last)
}

/** The number of the first line with this digest; 0 if there is none, as in a journal that was started after the backup. */
export async function findLineNumber(place: JournalPlace, digest: string | undefined): Promise<number> {
  if (digest === undefined) return 0
  let number = 0
  for await (const { line } of linesIn(place)) {
    number++
    if (digestOf(line) === digest) return number
  }
  return 0
}

async function* linesIn(place: JournalPlace | undefined) {
  if (place !== undefined && (await place.exists())) yield* place.lines()
}
