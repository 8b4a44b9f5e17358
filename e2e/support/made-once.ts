import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Makes a folder that is kept from one run to the next. It appears whole or not at all: several workers may want it at
 * once, and the first to be done has made it for all.
 */
export async function madeOnce(folder: string, make: (place: string) => Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder
  await mkdir(dirname(folder), { recursive: true })
  const place = await mkdtemp(`${folder}-`)
  try {
    await make(place)
    await rename(place, folder).catch((error) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(place, { recursive: true, force: true })
  }
  return folder
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
