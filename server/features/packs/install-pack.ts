import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PackRecipe } from '#models/rules/pack-recipe.ts'
import type { PackName } from '#models/rules/packs.ts'
import { faultOfBytes, folderOfPack, networksIn } from './installed-pack.ts'
import type { NetworkSource } from './network-source.ts'
import { PackFault } from './pack-fault.ts'

/** Owner-only permissions for a folder and a file. */
const ownFolder = 0o700
const ownFile = 0o600
/** The prefix for folders that are not packs yet, or no longer are. */
const unfinished = '.unfinished-'

interface Installation {
  readonly pack: PackName
  readonly recipe: PackRecipe
  readonly packsDir: string
  readonly source: NetworkSource
  readonly onProgress: (file: string, bytes: number, of: number) => void
}

/**
 * Installs a pack. [Note: Whole or not at all] Every file is fetched, checked and written into a temporary folder, which gets
 * the pack's name at the end. So an interrupted installation is never a pack, and the next installation removes its
 * remains.
 * @throws {PackFault} if a file is unavailable or differs from the recipe
 */
export async function installPack({
  pack,
  recipe,
  packsDir,
  source,
  onProgress,
}: Installation): Promise<void> {
  await mkdir(packsDir, { recursive: true, mode: ownFolder })
  await clearUnfinished(pack, packsDir)
  const folder = join(packsDir, unfinishedName(pack))
  try {
    await mkdir(folder, { mode: ownFolder })
    for (const network of networksIn(recipe)) {
      const { file, bytes: whole } = network
      const bytes = await source(network, (had) => {
        if (had < whole) onProgress(file, had, whole)
      })
      const fault = faultOfBytes(bytes, network)
      if (fault !== undefined) throw new PackFault(`${file} is not the file of the recipe: it ${fault}.`)
      await writeOwn(join(folder, file), bytes)
      onProgress(file, whole, whole)
    }
    await replaceFolder(folder, folderOfPack(packsDir, pack), packsDir, pack)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Removes a pack: its name first, immediately, and then its files. */
export async function deletePack(pack: PackName, packsDir: string): Promise<void> {
  const gone = join(packsDir, unfinishedName(pack))
  await rename(folderOfPack(packsDir, pack), gone)
  await rm(gone, { recursive: true, force: true })
}

/** Removes what is left of a pack's interrupted installations and removals. */
async function clearUnfinished(pack: PackName, packsDir: string): Promise<void> {
  const left = (await readdir(packsDir)).filter((name) => name.startsWith(`${pack}${unfinished}`))
  for (const name of left) await rm(join(packsDir, name), { recursive: true, force: true })
}

async function replaceFolder(from: string, to: string, packsDir: string, pack: PackName): Promise<void> {
  const former = join(packsDir, unfinishedName(pack))
  await rename(to, former).catch(ignoreMissing)
  await rename(from, to)
  await rm(former, { recursive: true, force: true })
}

async function writeOwn(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', ownFile)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

function unfinishedName(pack: PackName): string {
  return `${pack}${unfinished}${randomBytes(6).toString('hex')}`
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
