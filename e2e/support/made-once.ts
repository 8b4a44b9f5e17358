import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Creates a folder that is kept between runs. It appears either complete or not at all. If several workers need it
 * at once, the first one creates it while the others wait.
 */
export async function madeOnce(folder: string, make: (place: string) => Promise<unknown>): Promise<string> {
  await mkdir(dirname(folder), { recursive: true })
  // All of a run's workers have the same parent, so leftovers from another run do not get in the way.
  const place = `${folder}-${process.ppid}`
  while (!existsSync(folder)) {
    if (await isTaken(place)) await sleep(100)
    else await makeAt(place, folder, make)
  }
  return folder
}

/** Creates a folder. Returns true if another worker was faster. */
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

/** Creates a folder once for all of a run's workers. Playwright empties it before the next run. */
export function madeForRun(name: string, make: (place: string) => Promise<unknown>): Promise<string> {
  return madeOnce(join('test-results', `.${name}`), make)
}

/** Writes a file atomically: readers see either the complete new version or the old one. */
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
