import { createReadStream, existsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { syncFolder } from '#server/platform/running/sync-folder.ts'
import type { Clock, Put, Write } from '#server/platform/store/store.ts'
import { behindLastLine, createJournalLines, digestOf, type JournalLines, linesOf } from './journal-lines.ts'
import { isErasure, isNoted, withdrawalKindOf } from './journal-rules.ts'

/**
 * [Note: Erasures outlive backups] A restore brings back people who were erased after the backup, and keys that were revoked. So a file outside the
 * store records the key of each erased record, a digest that identifies no person, and each record that withdraws a right, sealed. A restore repeats them;
 * journal-rules.ts says which writes these are.
 */
export interface Journal {
  /** Notes what was written, before the caller is told that it was; `writes` as records are, not sealed. */
  note(writes: readonly Write[], sealed: (write: Put) => Uint8Array): Promise<void>
}

/** One record as it was left; undefined where it was removed. */
export interface JournalEntry {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly key: string
  /** As it stands in the store. */
  readonly value: Uint8Array | undefined
}

/**
 * Appends to a file, which several processes may share. [Note: A torn line is marked] Whoever is killed while it writes, or finds the disk full, leaves the
 * beginning of a line. Whoever writes next signs behind it that it was torn, and begins a line anew: so a restore passes over exactly that, and over nothing
 * that somebody else has damaged.
 */
export function createJournal(path: string, keyRing: KeyRing, now: Clock): Journal {
  const lines = createJournalLines(keyRing)
  return {
    async note(writes, sealed) {
      const entries = writes.filter(isNoted).map((write) => {
        const value = write.kind === 'put' ? Buffer.from(sealed(write)).toString('base64') : null
        return lines.entry(now(), write.key, value)
      })
      if (entries.length === 0) return
      const file = await open(path, 'a+', 0o600)
      try {
        const { size } = await file.stat()
        await append(file, lines, entries)
        await file.datasync()
        if (size === 0) await syncFolder(dirname(path))
      } finally {
        await file.close()
      }
    },
  }
}

/**
 * Reads the entries that a restore repeats, in order: from a time on, and after a line. Lines that are marked as torn are skipped, and so is an unfinished
 * line at the end of the file.
 * @throws if there is no such file, or a line was altered or is of another deployment, possibly behind entries that were already returned
 */
export async function* readJournal(
  path: string,
  keyRing: KeyRing,
  from: number,
  afterLine = 0,
): AsyncGenerator<JournalEntry> {
  if (!existsSync(path)) throw new Error(`There is no journal at ${path}.`)
  const lines = createJournalLines(keyRing)
  const unread = new Map<string, { readonly number: number; readonly advice: string }>()
  let number = 0
  for await (const { line, hasEnd } of linesOf(createReadStream(path))) {
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

/** Reads a journal to its end. @throws as `readJournal` */
export async function verifyJournal(path: string, keyRing: KeyRing): Promise<void> {
  for await (const _entry of readJournal(path, keyRing, 0)) {
    // Until its end.
  }
}

/** In one write, so that no other process comes between. @throws where there is no room for all of it */
async function append(file: FileHandle, lines: JournalLines, entries: readonly Buffer[]): Promise<void> {
  const { size } = await file.stat()
  const torn = await unfinishedLine(file, size)
  const bytes = Buffer.concat([...endOf(torn, lines), ...entries])
  const { bytesWritten } = await file.write(bytes)
  if (bytesWritten < bytes.length) throw new Error('The journal has no room: its disk is full.')
  const { size: now } = await file.stat()
  if (now === size + bytes.length) return
  // Others wrote at the same time. Where one of them was torn just before, the first line is joined to what is left of it.
  const written = await readBytes(file, size - torn.length, now)
  const at = written.indexOf(bytes)
  if (at === -1)
    throw new Error('The journal does not hold what was written to it: something else changes the file.')
  const before = behindLastLine(written.subarray(0, at))
  if (before.length === 0 || before.equals(torn)) return
  const joined = Buffer.concat([before, bytes.subarray(0, bytes.indexOf('\n'))])
  await append(file, lines, [lines.tornMark(joined), ...entries])
}

/** What ends a line that nobody has ended: its mark, or where it is whole nothing but its end. */
function endOf(unfinished: Buffer, lines: JournalLines): Buffer[] {
  if (unfinished.length === 0) return []
  return [lines.read(unfinished).kind === 'unread' ? lines.tornMark(unfinished) : Buffer.from('\n')]
}

/** What stands behind the last end of a line. */
async function unfinishedLine(file: FileHandle, size: number): Promise<Buffer> {
  for (let window = 1; ; window *= 1024) {
    const from = Math.max(0, size - window)
    const unfinished = behindLastLine(await readBytes(file, from, size))
    if (unfinished.length < size - from || from === 0) return unfinished
  }
}

async function readBytes(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from)
  return buffer.subarray(0, bytesRead)
}

function alteredAt({ number, advice }: { readonly number: number; readonly advice: string }): Error {
  return new Error(`The journal was altered at line ${number}, or is of another deployment.${advice}`)
}
