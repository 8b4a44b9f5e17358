import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { modelOf } from '#models/networks/manifest.ts'
import type { ModelName } from '#models/networks/session.ts'
import { installedNetwork, mending } from '#models/rules/pack-recipe.ts'
import type { PackName } from '#models/rules/packs.ts'

const restoring = ': restore it from the repository, or unpack the archive again.'

/** Looks for the weights folder from this file upwards, which works both in the source tree and in the build. */
function weightsFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'models', 'weights'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error(`models/weights is missing${restoring}`)
    folder = parent
  }
  return join(folder, 'models', 'weights')
}

/**
 * Reads a network's bytes and checks them against the manifest or the recipe, so that altered weights never run. `packsFolder` contains the
 * installed packs.
 * @throws an Error that suggests a fix if they are missing or altered
 */
export async function readWeights(name: ModelName, packsFolder?: string): Promise<Uint8Array> {
  const { file, sha256 } = modelOf(name)
  const pack = installedNetwork(name)?.pack
  const bytes = await readFile(fileOf(pack, file, packsFolder)).catch((error) => {
    if (pack !== undefined) throw new Error(`The ${pack} pack is not installed${mending(pack)}`)
    throw error.code === 'ENOENT' ? new Error(`models/weights/${file} is missing${restoring}`) : error
  })
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found === sha256) return bytes
  if (pack === undefined)
    throw new Error(`models/weights/${file} does not have the manifest's sha256${restoring}`)
  throw new Error(`The weights of ${name} in the ${pack} pack were altered${mending(pack)}`)
}

function fileOf(pack: PackName | undefined, file: string, packsFolder: string | undefined): string {
  if (pack === undefined) return join(weightsFolder(), file)
  if (packsFolder === undefined) throw new Error(`The folder of the ${pack} pack was not configured`)
  return join(packsFolder, pack, file)
}
