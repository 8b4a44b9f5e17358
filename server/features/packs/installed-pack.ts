import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mending, type NetworkRecipe, type PackRecipe, recipeOf } from '#models/rules/pack-recipe.ts'
import type { PackName } from '#models/rules/packs.ts'

/** `shipped`: part of the product. `altered`: some of its files are missing or differ. */
export type PackState = 'shipped' | 'installed' | 'altered' | 'absent'

/** An installed pack's folder. */
export function folderOfPack(packsDir: string, pack: PackName): string {
  return join(packsDir, pack)
}

/** A pack's state in a pack folder. Reads and hashes every file. */
export async function readPackState(pack: PackName, packsDir: string): Promise<PackState> {
  const recipe = recipeOf(pack)
  if (recipe === undefined) return 'shipped'
  const faults = await Promise.all(
    networksIn(recipe).map((network) => findFault(join(folderOfPack(packsDir, pack), network.file), network)),
  )
  if (faults.every((fault) => fault === undefined)) return 'installed'
  return faults.every((fault) => fault === 'missing') ? 'absent' : 'altered'
}

/**
 * [Note: Nothing starts on altered weights] Every load hashes the weights again. This check reports a mismatch at startup, in
 * one sentence. `shipped` is the folder of the networks that ship with the program.
 * @throws {Error} if the pack is not installed, or altered, or if the networks that ship with the program are missing
 */
export async function requireInstalled(pack: PackName, packsDir: string, shipped: string): Promise<void> {
  if (!existsSync(shipped))
    throw new Error(`${shipped} is missing: restore it from the repository, or unpack the archive again.`)
  const state = await readPackState(pack, packsDir)
  if (state === 'shipped' || state === 'installed') return
  const what = state === 'absent' ? 'is not installed' : 'was altered, or is not complete,'
  throw new Error(`The ${pack} pack ${what} in ${packsDir}${mending(pack)}`)
}

export function networksIn({ networks }: PackRecipe): readonly NetworkRecipe[] {
  return Object.values(networks)
}

/** The reason that bytes are not a network's; undefined if they are. */
export function faultOfBytes(bytes: Uint8Array, { bytes: expected, sha256 }: NetworkRecipe) {
  if (bytes.length !== expected) return `has ${bytes.length} bytes, not ${expected}`
  const found = createHash('sha256').update(bytes).digest('hex')
  return found === sha256 ? undefined : `has the sha256 ${found}, not ${sha256}`
}

async function findFault(path: string, network: NetworkRecipe): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => undefined)
  return bytes === undefined ? 'missing' : faultOfBytes(bytes, network)
}
