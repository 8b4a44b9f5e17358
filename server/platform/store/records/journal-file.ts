import { createReadStream, existsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from '#server/platform/running/sync-folder.ts'
import { behindLastLine, type JournalLines, linesOf } from './journal-lines.ts'
import type { JournalPlace } from './journal-place.ts'

/**
 * Keeps a journal in a file that several processes may share. [Note: A torn line is marked] A process that is killed
 * while writing, or runs out of disk space, leaves an incomplete line. The next writer appends a signed mark that it was
 * torn, and starts a new line. A restore then skips exactly this line, and still reports any other damage.
 */
export function journalFile(path: string): JournalPlace {
  return {
    name: path,
    exists: async () => existsSync(path),
    lines: () => linesOf(createReadStream(path)),
    async append(entries, lines) {
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

/** Appends in a single write, so that other processes cannot interleave. @throws if there is not enough room for all of it */
async function append(file: FileHandle, lines: JournalLines, entries: readonly Buffer[]): Promise<void> {
  const { size } = await file.stat()
  const torn = await unfinishedLine(file, size)
  const bytes = Buffer.concat([...endOf(torn, lines), ...entries])
  const { bytesWritten } = await file.write(bytes)
  if (bytesWritten < bytes.length) throw new Error('The journal cannot be written because its disk is full.')
  const { size: now } = await file.stat()
  if (now === size + bytes.length) return
  // Another process wrote at the same time. If it was interrupted just before, the first line is joined to its incomplete
  // line.
  const written = await readBytes(file, size - torn.length, now)
  const at = written.indexOf(bytes)
  if (at === -1)
    throw new Error(
      'The journal does not contain what was just written to it: another program is changing the file.',
    )
  const before = behindLastLine(written.subarray(0, at))
  if (before.length === 0 || before.equals(torn)) return
  const joined = Buffer.concat([before, bytes.subarray(0, bytes.indexOf('\n'))])
  await append(file, lines, [lines.tornMark(joined), ...entries])
}

/** Completes an unterminated line left by a killed writer: with a mark if the line is torn, otherwise with just a line feed. */
function endOf(unfinished: Buffer, lines: JournalLines): Buffer[] {
  if (unfinished.length === 0) return []
  return [lines.read(unfinished).kind === 'unread' ? lines.tornMark(unfinished) : Buffer.from('\n')]
}

/** The bytes after the last line feed. */
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
