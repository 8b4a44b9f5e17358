import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Removes partial files that killed runs left in a folder: files that `isPart` recognises by name and that have not grown for
 * the given time. `now` is milliseconds since 1970, according to the machine that stores the folder.
 */
export async function removeAbandoned(
  folder: string,
  isPart: (name: string) => boolean,
  forMilliseconds: number,
  now: number = Date.now(),
): Promise<void> {
  for (const path of (await readdir(folder)).filter(isPart).map((name) => join(folder, name))) {
    const about = await lstat(path).catch(() => undefined)
    if (about?.isFile() && now - about.mtimeMs > forMilliseconds) await rm(path, { force: true })
  }
}
