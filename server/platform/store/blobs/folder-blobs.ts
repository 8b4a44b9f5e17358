import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Blob, type Blobs, checkedName } from './blobs.ts'

/** The suffix for files that are still being written. */
const unfinished = '.part'

/** Blobs as files in one folder per owner, readable only by the server's user. Several processes may share the folder. */
export function createFolderBlobs(folder: string): Blobs {
  const of = (owner: string) => join(folder, checkedName(owner))

  return {
    async put(owner, name, bytes) {
      await mkdir(of(owner), { recursive: true, mode: 0o700 })
      const path = join(of(owner), checkedName(name))
      const part = `${path}.${randomUUID()}${unfinished}`
      try {
        await writeFile(part, bytes, { mode: 0o600 })
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true }).catch(() => undefined)
        throw error
      }
    },
    async get(owner) {
      const names = (await listFolder(of(owner))).filter((name) => !name.endsWith(unfinished)).sort()
      const found = await Promise.all(names.map((name) => blobAt(of(owner), name)))
      return found.filter((blob) => blob !== undefined)
    },
    async remove(owner, names) {
      if (names === undefined) return rm(of(owner), { recursive: true, force: true })
      for (const name of names) await rm(join(of(owner), checkedName(name)), { force: true })
    },
    async *owners() {
      yield* await listFolder(folder)
    },
  }
}

async function listFolder(folder: string): Promise<string[]> {
  return unlessMissing(readdir(folder), [])
}

/** Undefined if the file was removed in the meantime. */
async function blobAt(folder: string, name: string): Promise<Blob | undefined> {
  const bytes = await unlessMissing(readFile(join(folder, name)), undefined)
  return bytes && { name, bytes }
}

async function unlessMissing<T, E>(found: Promise<T>, otherwise: E): Promise<T | E> {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise
    throw error
  }
}
