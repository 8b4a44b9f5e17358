import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { removeAbandoned } from '#server/platform/running/remove-abandoned.ts'
import { syncFolder } from '#server/platform/running/sync-folder.ts'
import type { ArchivePlace, ArchiveSource } from './archive-place.ts'

const ending = '.audit'
const unfinished = /\.audit\.[0-9a-f]{12}\.part$/
const chunkBytes = 2 ** 20
/** No archive writer is this slow. */
const abandonedAfterMilliseconds = 3600_000

/** Stores archives as files that only their owner can read. The folder is created with the first archive. */
export function createFolderArchives(folder: string): ArchivePlace {
  return {
    names: async () =>
      existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith(ending)) : [],
    source: (name) => fileSource(join(folder, name)),
    async put(name, content, prove) {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 })
      if (made !== undefined) await syncFolder(dirname(made))
      await removeAbandoned(folder, isPart, abandonedAfterMilliseconds)
      const path = join(folder, name)
      const part = `${path}.${randomBytes(6).toString('hex')}.part`
      try {
        await write(part, content)
        await prove(fileSource(part))
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    sync: () => syncFolder(folder),
    remove: (name) => rm(join(folder, name), { force: true }),
  }
}

function isPart(name: string): boolean {
  return unfinished.test(name)
}

/** Opens a file by its path. */
export function fileSource(path: string): ArchiveSource {
  return {
    called: path,
    async *read() {
      if (!existsSync(path)) throw new Error(`The file ${path} does not exist.`)
      for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) yield chunk as Buffer
    },
  }
}

async function write(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const bytes of content) await file.appendFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}
