import { appendFile, open, stat } from 'node:fs/promises'

const lineFeed = 10

/**
 * Appends whole lines to a file of heads, which is made for its owner alone where there is none. [Note: A torn line takes no other one with it] Whoever is killed while it writes, or
 * finds the disk full, leaves the beginning of a line: it is ended before the first of these, which may be a revocation.
 */
export async function appendLines(path: string, lines: string | Buffer): Promise<void> {
  const end = (await isTorn(path)) ? '\n' : ''
  await appendFile(path, Buffer.concat([Buffer.from(end), Buffer.from(lines)]), { mode: 0o600 })
}

/** A file that this process may not read may be: an empty line harms nobody. */
async function isTorn(path: string): Promise<boolean> {
  const about = await stat(path).catch(() => undefined)
  if (about === undefined || !about.isFile() || about.size === 0) return false
  const file = await open(path, 'r').catch(() => undefined)
  if (file === undefined) return true
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, about.size - 1).finally(() => file.close())
  return buffer[0] !== lineFeed
}
