import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Makes a folder that is kept from one run to the next. It appears whole or not at all; of several workers that want it
 * at once the first one makes it, and the others wait.
 */
export async function madeOnce(folder: string, make: (place: string) => Promise<unknown>): Promise<string> {
  await mkdir(dirname(folder), { recursive: true })
  // The workers of a run have one parent: what another run left unfinished is in nobody's way.
  const place = `${folder}-${process.ppid}`
  while (!existsSync(folder)) {
    if (await isTaken(place)) await sleep(100)
    else await makeAt(place, folder, make)
  }
  return folder
}

/** Makes a folder; answers whether another worker has made it before. */
function isTaken(place: string): Promise<boolean> {
  return mkdir(place).then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      return true
    },
  )
}

async function makeAt(
  place: string,
  folder: string,
  make: (place: string) => Promise<unknown>,
): Promise<void> {
  try {
    await make(place)
    await rename(place, folder).catch((error) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** What is made for one run, for all of its workers: Playwright empties this folder before each. */
export function madeForRun(name: string, make: (place: string) => Promise<unknown>): Promise<string> {
  return madeOnce(join('test-results', `.${name}`), make)
}

/** A file that is made anew each time: it is there whole, or as it was. */
export async function madeWhole(file: string, make: (place: string) => Promise<unknown>): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  const folder = await mkdtemp(`${file}-`)
  try {
    const place = join(folder, 'made')
    await make(place)
    await rename(place, file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return file
}
