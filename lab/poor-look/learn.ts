import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { oneOf, readWords } from '../../build/usage.ts'
import type { ModelName, Session } from '../../models/networks/session.ts'
import { type PackName, packNames, packs } from '../../models/rules/packs.ts'
import { readSettings } from '../../server/app/settings.ts'
import { requireInstalled } from '../../server/features/packs/installed-pack.ts'
import { openRuntime } from '../../workers/node/runtime.ts'
import { describeFile, poorLookFile, readManifest, WEIGHTS, writeManifest } from '../networks/manifest.ts'
import { clear, type HarmedHead, poorDirections, product, ridge } from './directions.ts'
import { harmedHeads, type LearnedModel } from './harmed-heads.ts'

const usage = `Usage: npm run poor-look -- [--data FOLDER] [--pack PACK]

Learns the look that poor pictures share, and how much of a person an embedding shows, and writes models/weights/${poorLookFile}.

  FOLDER   holds pictures that may be used for training; default ../shared/data/detection/public-domain
  PACK     standard (default), or extended, if it is installed: covers all models of the pack`

const directionCount = 24
/** Clear pictures are rare among the harmed ones, but must not be mistaken for poor ones. */
const clearWeight = 3
/** Per 1,000 pictures. Keeps the weights small, because there are not many people to learn from. */
const penalty = 0.3
/** Weights are stored as integers. */
const scale = 1_000_000

async function main(): Promise<void> {
  const { values } = readWords(usage, {
    data: { type: 'string', default: '../shared/data/detection/public-domain' },
    pack: { type: 'string', default: 'standard' },
  })
  const pack = oneOf('--pack', packNames, values.pack)
  const models = modelsOf(pack)
  const { packsDir } = readSettings()
  await requireInstalled(pack, packsDir, WEIGHTS)
  const { byModel, headCount } = await harmedHeads(values.data, await opener(packsDir), models)
  const learned = models.map((model) => [model, lookOf(byModel.get(model)!)] as const)
  const file = join(WEIGHTS, poorLookFile)
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {}
  const bytes = Buffer.from(`${JSON.stringify({ ...known, ...Object.fromEntries(learned) })}\n`)
  writeFileSync(file, bytes)
  writeManifest({ ...readManifest(), poorLook: describeFile(poorLookFile, bytes) })
  console.log(
    `${headCount} heads, ${byModel.get(models[0]!)!.length} pictures per model: ${models.join(', ')}`,
  )
}

/** @throws {Error} if nothing is learned for its models */
function modelsOf(pack: PackName): readonly LearnedModel[] {
  const { embeddingModel, secondModel } = packs[pack]
  if (embeddingModel === 'dlib-face/2') throw new Error(`There is no poor look for ${embeddingModel}`)
  return secondModel === undefined ? [embeddingModel] : [embeddingModel, secondModel]
}

/** Opens each network only once. */
async function opener(packsDir: string) {
  const { open } = await openRuntime(undefined, packsDir)
  const sessions = new Map<ModelName, Promise<Session>>()
  return (name: ModelName): Promise<Session> => {
    const session = sessions.get(name) ?? open(name)
    sessions.set(name, session)
    return session
  }
}

function lookOf(heads: readonly HarmedHead[]) {
  const directions = poorDirections(heads, directionCount)
  const places = heads.map(({ embedding }) => directions.map((direction) => product(embedding, direction)))
  const rows = places.map((along) => {
    const squares = along.map((place) => place ** 2)
    const sum = squares.reduce((total, square) => total + square, 0)
    return Float64Array.from([1, ...along, ...squares, Math.sqrt(sum)])
  })
  const shown = heads.map(({ embedding, clear: own }) => product(embedding, own))
  const weights = heads.map(({ harm }) => (harm === clear ? clearWeight : 1))
  const solution = ridge(rows, shown, weights, (penalty * heads.length) / 1000)
  const whole = (values: ArrayLike<number>) => Array.from(values, (value) => Math.round(value * scale))
  return {
    scale,
    constant: Math.round(solution[0]! * scale),
    linear: whole(solution.slice(1, 1 + directionCount)),
    squared: whole(solution.slice(1 + directionCount, 1 + 2 * directionCount)),
    root: Math.round(solution.at(-1)! * scale),
    directions: directions.map(whole),
  }
}

await main()
