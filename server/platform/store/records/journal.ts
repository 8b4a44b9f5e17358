import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Put, Write } from '#server/platform/store/store.ts'
import { createJournalLines, digestOf } from './journal-lines.ts'
import type { JournalPlace } from './journal-place.ts'
import { isErasure, isNoted, withdrawalKindOf } from './journal-rules.ts'

/**
 * [Note: Erasures outlive backups] A restore brings back people who were erased after the backup, and keys that were
 * revoked. So a journal outside the records notes the key of each erased record, which is a digest that identifies no
 * person, and a sealed copy of each record that withdraws a right. A restore repeats them. journal-rules.ts defines which
 * writes these are.
 */
export interface Journal {
  /** Notes writes before they are acknowledged to the caller. `writes` contains the plain records, before they are sealed. */
  note(writes: readonly Write[], sealed: (write: Put) => Uint8Array): Promise<void>
}

/** One record's final state; undefined if it was removed. */
export interface JournalEntry {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly key: string
  /** The stored bytes. */
  readonly value: Uint8Array | undefined
}

/**
 * Notes in one place after another. [Note: Rows before the file] A backup names the file's last line. Each of the file's
 * lines is already in the rows, so a restore from either place repeats what came after the backup.
 */
export function createJournal(places: readonly JournalPlace[], keyRing: KeyRing, now: Clock): Journal {
  const lines = createJournalLines(keyRing)
  return {
    async note(writes, sealed) {
      const entries = writes.filter(isNoted).map((write) => {
        const value = write.kind === 'put' ? Buffer.from(sealed(write)).toString('base64') : null
        return lines.entry(now(), write.key, value)
      })
      if (entries.length === 0) return
      for (const place of places) await place.append(entries, lines)
    },
  }
}

/**
 * Reads the entries that a restore repeats, in order, from a given time on and after a given line. Skips lines marked as
 * torn, and an unfinished last line.
 * @throws {Error} if the journal does not exist, or a line was altered or belongs to another deployment; entries before
 * that line have already been returned
 */
export async function* readJournal(
  place: JournalPlace,
  keyRing: KeyRing,
  from: number,
  afterLine = 0,
): AsyncGenerator<JournalEntry> {
  if (!(await place.exists())) throw new Error(`No journal exists at ${place.name}.`)
  const lines = createJournalLines(keyRing)
  const unread = new Map<string, { readonly number: number; readonly advice: string }>()
  let number = 0
  for await (const { line, hasEnd } of place.lines()) {
    number++
    const read = lines.read(line)
    if (read.kind === 'mark') unread.delete(read.digest)
    if (read.kind === 'unread' && (hasEnd || number === 1))
      unread.set(digestOf(line), { number, advice: lines.adviceOn(line) })
    if (read.kind !== 'entry') continue
    const [at, key, value] = read.said
    if (at < from || number <= afterLine) continue
    const isRepeated = value === null ? isErasure(key) : withdrawalKindOf(key) !== undefined
    if (isRepeated) yield { at, key, value: value === null ? undefined : Buffer.from(value, 'base64') }
  }
  const [altered] = unread.values()
  if (altered !== undefined) throw alteredAt(altered)
}

/** Reads a journal to its end. @throws like `readJournal` */
export async function verifyJournal(place: JournalPlace, keyRing: KeyRing): Promise<void> {
  for await (const _entry of readJournal(place, keyRing, 0)) {
    // Only reads to the end.
  }
}

function alteredAt({ number, advice }: { readonly number: number; readonly advice: string }): Error {
  return new Error(`The journal was altered at line ${number}, or belongs to another deployment.${advice}`)
}
