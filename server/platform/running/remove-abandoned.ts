import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Removes what runs left in a folder that were killed while they wrote: the files that `isPart` knows by their names, to which nothing was
 * added for so long. `now` is milliseconds since 1970, by the clock of whoever keeps the folder where that is another machine.
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
