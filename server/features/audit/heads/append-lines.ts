import { appendFile, open, stat } from 'node:fs/promises'

const lineFeed = 10

/**
 * Appends complete lines to a heads file, which is created so that only its owner can read it.
 * [Note: A torn line takes no other one with it] A process that is killed while writing, or runs into a full disk, leaves an
 * incomplete line. It is terminated before the next line, which may be a revocation.
 */
export async function appendLines(path: string, lines: string | Buffer): Promise<void> {
  const end = (await isTorn(path)) ? '\n' : ''
  await appendFile(path, Buffer.concat([Buffer.from(end), Buffer.from(lines)]), { mode: 0o600 })
}

/** A file that this process may not read counts as torn, because an extra empty line does no harm. */
async function isTorn(path: string): Promise<boolean> {
  const about = await stat(path).catch(() => undefined)
  if (about === undefined || !about.isFile() || about.size === 0) return false
  const file = await open(path, 'r').catch(() => undefined)
  if (file === undefined) return true
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, about.size - 1).finally(() => file.close())
  return buffer[0] !== lineFeed
}
