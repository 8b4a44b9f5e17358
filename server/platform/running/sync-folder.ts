import { open } from 'node:fs/promises'

/** What a folder says of its files (that one is new, or has another name) is on the disk when it resolves. @throws where there is no such folder */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
