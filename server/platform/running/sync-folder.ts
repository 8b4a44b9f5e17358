import { open } from 'node:fs/promises'

/** Flushes a folder's entries (new and renamed files) to disk. @throws if the folder does not exist */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
