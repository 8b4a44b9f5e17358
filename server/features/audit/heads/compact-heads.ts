import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { removeAbandoned } from '#server/platform/running/remove-abandoned.ts'
import { syncFolder } from '#server/platform/running/sync-folder.ts'
import { appendLines } from './append-lines.ts'
import { readReportedHeads } from './reported-heads.ts'

/** The maximum size of the default heads file before it is rewritten. */
const mostBytes = 1024 * 1024
const stragglersWithinMilliseconds = 1000
/** Suffixes for temporary files. An earlier version gave all of them the same name, without the number. */
const unfinished = /^(\.[0-9a-f]{12})?\.next$/
const abandonedAfterMilliseconds = 60_000

/**
 * Rewrites a large heads file, keeping each account's last head and every revocation. In a large deployment these alone may
 * exceed the limit, in which case the file may grow to twice their size. Processes that share the file may do this at the
 * same time.
 */
export function createCompaction(path: string, keyRing: KeyRing): () => Promise<void> {
  let limit = mostBytes
  return async () => {
    const { size = 0 } = (await stat(path).catch(() => undefined)) ?? {}
    if (size <= limit) return
    limit = Math.max(mostBytes, 2 * (await compact(path, keyRing)))
  }
}

/** Returns how many bytes have to stay. */
async function compact(path: string, keyRing: KeyRing): Promise<number> {
  const own = basename(path)
  const isPart = (name: string) => name.startsWith(own) && unfinished.test(name.slice(own.length))
  await removeAbandoned(dirname(path), isPart, abandonedAfterMilliseconds)
  const part = `${path}.${randomBytes(6).toString('hex')}.next`
  const former = await open(path, 'r')
  try {
    const { size } = await former.stat()
    const { heads, withdrawals } = await readReportedHeads(path, keyRing)
    const lines = [...heads.values(), ...withdrawals].map((line) => `${JSON.stringify(line)}\n`)
    const content = Buffer.from(lines.join(''))
    const next = await open(part, 'wx+', 0o600)
    try {
      await next.writeFile(content)
      await next.sync()
      await takePlace({ part, path, former, size, next, written: content.length })
    } finally {
      await next.close()
      await rm(part, { force: true }).catch(() => undefined)
    }
    return content.length
  } finally {
    await former.close()
  }
}

interface Replacement {
  readonly part: string
  readonly path: string
  /** The file with the first `size` bytes copied to `next`. */
  readonly former: FileHandle
  readonly size: number
  readonly next: FileHandle
  readonly written: number
}

/**
 * [Note: Lines of other processes] Lines that another process writes to the old file before it opens the new one are written
 * again. If another process has rewritten the file in the meantime, its version stays. If that happens at the same
 * moment, the lines written to ours are written again as well.
 */
async function takePlace({ part, path, former, size, next, written }: Replacement): Promise<void> {
  if (!(await isAt(path, former))) return
  await rename(part, path)
  await syncFolder(dirname(path))
  await new Promise((over) => setTimeout(over, stragglersWithinMilliseconds))
  await reportRest(former, size, path)
  if (!(await isAt(path, next))) await reportRest(next, written, path)
}

async function isAt(path: string, file: FileHandle): Promise<boolean> {
  const [there, { dev, ino }] = await Promise.all([stat(path).catch(() => undefined), file.stat()])
  return there?.dev === dev && there.ino === ino
}

async function reportRest(file: FileHandle, from: number, path: string): Promise<void> {
  const { size } = await file.stat()
  if (size <= from) return
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
  await appendLines(path, buffer.subarray(0, bytesRead))
}
