import { randomBytes } from 'node:crypto'
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { removeAbandoned } from '#server/platform/running/remove-abandoned.ts'
import { syncFolder } from '#server/platform/running/sync-folder.ts'
import { FileFault } from './file-fault.ts'

const unfinished = /\.selfsame-[0-9a-f]{12}\.part$/
/** No writer is this slow: a file grows at least every few seconds. */
const abandonedAfterMilliseconds = 3600_000
const isPart = (name: string) => unfinished.test(name)
/** Errors from file systems without hard links, such as FAT and some network shares. */
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/**
 * Writes a new file that only its owner can read, and flushes it to disk. [Note: A name means that it is whole] The file is
 * written next to its destination under a name that ends in `.selfsame-….part`, and renamed once it is complete. This way,
 * a killed run, a full disk or a concurrent run never leaves an incomplete file under the final name. A later run in the
 * same folder removes a killed run's partial file once an hour has passed since its last byte.
 * @throws {FileFault} if the file exists, even if it appeared during the write; a failed write leaves no file behind
 */
export async function writeNewFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  if (await lstat(path).catch(() => undefined)) throw isThere(path)
  const part = `${path}.selfsame-${randomBytes(6).toString('hex')}.part`
  const file = await open(part, 'wx', 0o600)
  try {
    // Uses the disk's clock, which may belong to another machine. Files that cannot be removed are left.
    const { mtimeMs: now } = await file.stat()
    await removeAbandoned(dirname(path), isPart, abandonedAfterMilliseconds, now).catch(() => undefined)
    await write(file)
    await file.sync()
    await file.close()
    await giveName(part, path)
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(part, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolder(dirname(path))
}

/**
 * A link never replaces another file, even one created a moment ago. Without hard links, a rename could only replace another
 * file that is also complete.
 */
async function giveName(part: string, path: string): Promise<void> {
  try {
    await link(part, path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw isThere(path)
    if (!noLinks.includes(code)) throw error
    if (await lstat(path).catch(() => undefined)) throw isThere(path)
    return rename(part, path)
  }
  await rm(part, { force: true })
}

function isThere(path: string): FileFault {
  return new FileFault(`${path} already exists. Files are never overwritten; choose another path.`)
}
