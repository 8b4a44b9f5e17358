/**
 * The cost of smaller weights: compares each network in single precision, in half precision, with one byte per weight, and computing in bytes, all
 * on the same pictures. SELFSAME_PICTURES is a folder of pictures with one face each.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { packWeights } from '#lab/networks/pack-weights.ts'
import { openPackages } from '#lab/networks/packages.ts'
import { recipes } from '#lab/networks/recipes.ts'
import { refuse } from '../../build/usage.ts'
import type { ModelName, OpenSession } from '../../models/networks/session.ts'
import { createPipeline } from '../../models/pipeline/pipeline.ts'
import type { AnalysisStages, FaceAnalysis } from '../../models/rules/analysis.ts'
import { cosine } from '../../models/rules/similarity.ts'
import { decodeImage } from '../../workers/node/image-decoder.ts'
import { loadNativeLibrary } from '../../workers/node/native-library.ts'
import { prune, shortenNames } from '../../workers/node/onnx/rewrite.ts'
import { readWeights } from '../../workers/node/weights.ts'
import type { Graph } from '../../workers/onnx/graph.ts'
import { encodeModel } from '../../workers/onnx/onnx.ts'
import { computeInBytes, packInBytes } from './precision-variants.ts'

const { InferenceSession, Tensor } = await loadNativeLibrary()

const variants: Readonly<Record<string, (graph: Graph) => Graph>> = {
  fp32: (graph) => graph,
  fp16: packWeights,
  bytes: packInBytes,
  computed: computeInBytes,
}
/** The networks and the outputs that show how much they change. */
const networks: Partial<Record<ModelName, AnalysisStages>> = {
  'fr-feature': { embedding: true },
  'fr-liveness': { liveness: 'light' },
  'faceres-deep': { demographic: 'full' },
  facemesh: { embedding: true },
}
const mostPictures = 24
const timedRuns = 7

interface ChangedNetwork {
  readonly name: ModelName
  readonly bytes: Uint8Array
  readonly wanted: AnalysisStages
}

export async function benchPrecision(): Promise<Record<string, number>> {
  const folder = process.env.SELFSAME_PICTURES
  if (folder === undefined)
    return refuse('SELFSAME_PICTURES must name a folder of pictures with a face each.')
  const pictures = readdirSync(folder)
    .filter((name) => /\.(jpe?g|png)$/i.test(name))
    .sort()
  const step = Math.max(1, Math.floor(pictures.length / mostPictures))
  const files = pictures.filter((_, i) => i % step === 0).slice(0, mostPictures)
  const packages = openPackages()
  const figures: Record<string, number> = { pictures: files.length }
  for (const [name, wanted] of Object.entries(networks) as [ModelName, AnalysisStages][]) {
    const recipe = recipes.find((known) => known.name === name)!
    let whole: (FaceAnalysis | undefined)[] | undefined
    for (const [variant, pack] of Object.entries(variants)) {
      const bytes = encodeModel(shortenNames(prune(recipe.build(packages, pack))))
      const faces = await facesWith({ name, bytes, wanted }, folder, files)
      whole ??= faces
      const key = `${name}.${variant}`
      figures[`${key}.bytes`] = bytes.length
      figures[`${key}.brotli`] = brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 6 },
      }).length
      const found = { ...costOf(bytes, recipe.input), ...differences(whole, faces) }
      console.error(key, bytes.length, figures[`${key}.brotli`], JSON.stringify(found))
      Object.assign(figures, prefixed(key, found))
    }
  }
  return figures
}

function prefixed(key: string, values: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${key}.${name}`, value]))
}

/** All networks as they ship, except for the changed one. */
async function facesWith(changed: ChangedNetwork, folder: string, files: readonly string[]) {
  const open: OpenSession = async (name) => {
    const bytes = name === changed.name ? changed.bytes : await readWeights(name)
    const session = await InferenceSession.create(bytes, { intraOpNumThreads: 1 })
    return {
      run: async ({ data, dims }) =>
        (await session.run({ input: new Tensor('float32', data, [...dims]) })) as never,
    }
  }
  const pipeline = createPipeline(open, () => performance.now())
  const faces: (FaceAnalysis | undefined)[] = []
  for (const file of files)
    faces.push(
      (await pipeline.analyse(await decodeImage(readFileSync(join(folder, file))), changed.wanted)).face,
    )
  return faces
}

const measureAlone = `
const { InferenceSession, Tensor } = require('onnxruntime-node')
const [file, channels, size, runs] = process.argv.slice(1)
;(async () => {
  const before = process.memoryUsage.rss()
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1 })
  const dims = [1, Number(channels), Number(size), Number(size)]
  const input = new Tensor('float32', new Float32Array(dims[1] * size * size).fill(0.3), dims)
  const times = []
  for (let i = 0; i < Number(runs); i++) {
    const start = performance.now()
    await session.run({ input })
    times.push(performance.now() - start)
  }
  const megabytes = (process.memoryUsage.rss() - before) / 2 ** 20
  console.log(JSON.stringify({ milliseconds: Math.min(...times), megabytes }))
})()`

/**
 * Runs in a separate process with telemetry disabled, like this one. Measures the fastest run in milliseconds, and the resident memory in megabytes.
 */
function costOf(bytes: Uint8Array, { size, channels }: { size: number; channels: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-precision-'))
  const file = join(folder, 'network.onnx')
  writeFileSync(file, bytes)
  const args = [file, channels, size, timedRuns].map(String)
  const said = execFileSync(process.execPath, ['-e', measureAlone, ...args], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return JSON.parse(said) as { milliseconds: number; megabytes: number }
}

/** How much the answers differ from single precision. */
function differences(
  whole: readonly (FaceAnalysis | undefined)[],
  faces: readonly (FaceAnalysis | undefined)[],
) {
  const pairs = whole.flatMap((a, i) => (a && faces[i] ? [[a, faces[i]] as const] : []))
  const mean = (read: (a: FaceAnalysis, b: FaceAnalysis) => number) =>
    pairs.reduce((sum, [a, b]) => sum + read(a, b) / pairs.length, 0)
  const least = (read: (a: FaceAnalysis, b: FaceAnalysis) => number) =>
    Math.min(...pairs.map(([a, b]) => read(a, b)))
  const likeness = (a: FaceAnalysis, b: FaceAnalysis) => cosine(a.embedding ?? [], b.embedding ?? [])
  const points = (a: FaceAnalysis, b: FaceAnalysis) => {
    let sum = 0
    for (let i = 0; i < a.landmarks.length; i += 3)
      sum += Math.hypot(a.landmarks[i]! - b.landmarks[i]!, a.landmarks[i + 1]! - b.landmarks[i + 1]!)
    return sum / (a.landmarks.length / 3) / a.box.width
  }
  return {
    lost: whole.filter((a, i) => a !== undefined && faces[i] === undefined).length,
    meanCosine: mean(likeness),
    leastCosine: least(likeness),
    pointsShareOfWidth: mean(points),
    male: mean((a, b) => Math.abs((a.gender?.male ?? 0) - (b.gender?.male ?? 0))),
    years: mean((a, b) => Math.abs((a.age?.prediction ?? 0) - (b.age?.prediction ?? 0))),
    live: mean((a, b) => Math.abs((a.live?.raw ?? 0) - (b.live?.raw ?? 0))),
    mostLive: -least((a, b) => -Math.abs((a.live?.raw ?? 0) - (b.live?.raw ?? 0))),
  }
}
