import { randomBytes } from 'node:crypto'
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { removeAbandoned } from '#server/platform/running/remove-abandoned.ts'
import { syncFolder } from '#server/platform/running/sync-folder.ts'
import { FileFault } from './file-fault.ts'

const unfinished = /\.selfsame-[0-9a-f]{12}\.part$/
/** Nothing is written that slowly: something is added to a file every few seconds at least. */
const abandonedAfterMilliseconds = 3600_000
const isPart = (name: string) => unfinished.test(name)
/** File systems without hard links, such as FAT and some shares, say one of these. */
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/**
 * Writes a new file, for its owner alone, on the disk when it resolves. [Note: A name means that it is whole] It is written beside its place, under a name that ends in
 * `.selfsame-….part`, and gets its own when it is whole: so neither a run that is killed, nor a full disk, nor another run at the same time leaves something under that name which is
 * not. What a run leaves that was killed is removed by one that begins at least an hour after its last byte, in the same folder.
 * @throws {FileFault} where there is a file already, also where it came meanwhile; what fails leaves no file
 */
export async function writeNewFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  if (await lstat(path).catch(() => undefined)) throw isThere(path)
  const part = `${path}.selfsame-${randomBytes(6).toString('hex')}.part`
  const file = await open(part, 'wx', 0o600)
  try {
    // By the clock of the disk, which may be that of another machine. What cannot be removed stays.
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

/** A link takes no other file's place, even one that came a moment ago. Where there are none, whatever came before is seen, and both are whole. */
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
  return new FileFault(`There is a file at ${path}; nothing is overwritten.`)
}
