import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { modelOf } from '#models/manifest.ts'
import type { ModelName } from '#models/networks/session.ts'

/** The folder of the weights, looked for from this file upwards: the same in the source tree and in the build. */
function weightsFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'models', 'weights'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('models/weights was not found beside the program')
    folder = parent
  }
  return join(folder, 'models', 'weights')
}

/** The bytes of a network, checked against the manifest: altered weights never run. */
export async function readWeights(name: ModelName): Promise<Uint8Array> {
  const { file, sha256 } = modelOf(name)
  const bytes = await readFile(join(weightsFolder(), file))
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256) throw new Error(`the weights of ${name} do not have the manifest's sha256`)
  return bytes
}
