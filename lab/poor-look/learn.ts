import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { oneOf, readWords } from '../../build/usage.ts'
import type { ModelName, Session } from '../../models/networks/session.ts'
import { type PackName, packNames, packs } from '../../models/rules/packs.ts'
import { readSettings } from '../../server/app/settings.ts'
import { requireInstalled } from '../../server/features/packs/installed-pack.ts'
import { openRuntime } from '../../workers/node/runtime.ts'
import { describeFile, poorLookFile, readManifest, WEIGHTS, writeManifest } from '../networks/manifest.ts'
import { type Harmed, poorDirections, restOf } from './directions.ts'
import { harmedFaces, type LearntModel } from './harmed-faces.ts'

const usage = `Usage: npm run poor-look -- [--data FOLDER] [--pack PACK]

Learns the directions in which embeddings of poor pictures are alike, whoever they show, and writes models/weights/${poorLookFile}.

  FOLDER   holds pictures that may be learnt from; ../shared/data/detection/public-domain where not given
  PACK     standard (where not given), conservative, or extended, where it is installed: all models of the pack are learnt`

/**
 * So many directions are taken out. More of them take out more of the person than of the poor look: measurements on LFW decided. dlib's
 * embeddings all have most of their length in one direction, and what is left without others tells less of the person: none is taken out.
 */
const directionCounts: Readonly<Record<LearntModel, number>> = {
  'fr-feature/2': 10,
  'foamliu-face/1': 6,
  'dlib-face/2': 0,
}
/** Directions are written as whole numbers. */
const scale = 1_000_000
/** A face whose rest is a smaller share of a clear one's is not compared. */
const leastShare = 0.5

async function main(): Promise<void> {
  const { values } = readWords(usage, {
    data: { type: 'string', default: '../shared/data/detection/public-domain' },
    pack: { type: 'string', default: 'standard' },
  })
  const pack = oneOf('--pack', packNames, values.pack)
  const models = modelsOf(pack)
  const { packsDir } = readSettings()
  await requireInstalled(pack, packsDir)
  const { harmed, headCount } = await harmedFaces(values.data, await opener(packsDir), models)
  const learnt = models.map((model) => [model, lookOf(harmed.get(model)!, directionCounts[model])] as const)
  const file = join(WEIGHTS, poorLookFile)
  const known = JSON.parse(readFileSync(file, 'utf8')) as object
  const bytes = Buffer.from(`${JSON.stringify({ ...known, ...Object.fromEntries(learnt) })}\n`)
  writeFileSync(file, bytes)
  writeManifest({ ...readManifest(), poorLook: describeFile(poorLookFile, bytes) })
  const { length } = harmed.get(models[0]!)!
  console.log(`${headCount} heads, ${length} harmed pictures of them: ${models.join(', ')}`)
}

function modelsOf(pack: PackName): readonly LearntModel[] {
  const { embeddingModel, secondModel } = packs[pack]
  return secondModel === undefined ? [embeddingModel] : [embeddingModel, secondModel]
}

/** Each network is opened once. */
async function opener(packsDir: string) {
  const { open } = await openRuntime(undefined, packsDir)
  const sessions = new Map<ModelName, Promise<Session>>()
  return (name: ModelName): Promise<Session> => {
    const session = sessions.get(name) ?? open(name)
    sessions.set(name, session)
    return session
  }
}

function lookOf(harmed: readonly Harmed[], count: number) {
  const directions = poorDirections(harmed, count)
  const rests = [...new Set(harmed.map(({ unharmed }) => unharmed))].map((one) => restOf(one, directions))
  const clear = rests.toSorted((a, b) => a - b)[Math.floor(rests.length / 2)]!
  return {
    scale,
    clearShare: Math.round(clear * 1000) / 1000,
    leastShare,
    directions: directions.map((row) => Array.from(row, (value) => Math.round(value * scale))),
  }
}

await main()
