import { createRequire } from 'node:module'
import { cpus } from 'node:os'
import { ask, startChild } from '#lab/child.ts'
import { WEIGHTS } from '#lab/networks/manifest.ts'
import { median } from '#lab/statistics/quantile.ts'
import { oneOf } from '../../build/usage.ts'
import { type PackName, packNames } from '../../models/rules/packs.ts'
import { readSettings } from '../../server/app/settings.ts'
import { requireInstalled } from '../../server/features/packs/installed-pack.ts'
import { buildSides, fileOf } from './built-sides.ts'
import { pipelinePictures } from './pipeline/pictures.ts'
import { type Round, type Task, tasks } from './pipeline/tasks.ts'

const rounds = 7
const names = Object.keys(tasks) as Task[]
export interface PipelineOptions {
  readonly pack?: string | undefined
}

type Side = 'product' | 'networks' | 'human'

const ours = {
  folder: 'bench-pipeline',
  sources: { product: 'lab/bench/pipeline/product.ts', networks: 'lab/bench/pipeline/networks.ts' },
} as const

/**
 * Measures pictures per second and core for 1280 x 720 JPEGs: detection (with landmarks, pose and quality), detection with embedding, and
 * everything, with one look and with all second looks. Compares this with the same runs of only the networks, and with everything in
 * @vladmandic/human, which looks once. The sides alternate in separate processes, and ours are built in the same way as the server. Rates are based
 * on processor time, as medians over the rounds.
 */
export async function benchPipeline(options: PipelineOptions): Promise<Record<string, number>> {
  const pack = oneOf('--pack', packNames, options.pack ?? 'standard')
  const { packsDir } = readSettings()
  await requireInstalled(pack, packsDir, WEIGHTS)
  const pictures = await pipelinePictures()
  describe(pictures.length, pack)
  await buildSides(ours)
  const sides = {
    product: startChild(fileOf(ours, 'product'), pack, packsDir),
    networks: startChild(fileOf(ours, 'networks'), pack, packsDir),
    human: startChild('lab/bench/pipeline/human.ts'),
  }
  try {
    for (const side of Object.values(sides))
      await ask(side, { pictures: pictures.map((bytes) => bytes.toString('base64')) })
    const turns: (readonly [Side, Task])[] = [
      ...names.flatMap((task) => [['product', task] as const, ['networks', task] as const]),
      ['human', 'all'],
    ]
    const measured = new Map<string, Round[]>()
    for (let round = 0; round <= rounds; round++) {
      for (const [side, task] of turns) {
        const result = (await ask(sides[side], { task })) as Round
        // The first round is a warm-up.
        if (round > 0) measured.set(`${side} ${task}`, [...(measured.get(`${side} ${task}`) ?? []), result])
      }
    }
    return figuresOf(measured, pictures.length)
  } finally {
    for (const side of Object.values(sides)) side.kill()
  }
}

function figuresOf(measured: ReadonlyMap<string, Round[]>, pictures: number): Record<string, number> {
  const each = (side: Side, task: Task, value: (round: Round) => number) =>
    median(measured.get(`${side} ${task}`)!.map(value)) / pictures
  const busy = ({ busy }: Round) => busy
  const figures: Record<string, number> = { pictures, rounds }
  for (const task of names) {
    const [product, bound] = [each('product', task, busy), each('networks', task, busy)]
    figures[`${task}PerSecond`] = 1000 / product
    figures[`${task}BoundPerSecond`] = 1000 / bound
    figures[`${task}ShareOfBound`] = bound / product
    figures[`${task}ShareOfBoundDecoded`] =
      bound / each('product', task, ({ busy, decoding }) => busy - decoding)
  }
  figures.shareOfBound = figures.allShareOfBound!
  figures.decodeMs = each('product', 'all', ({ decoding }) => decoding)
  figures.allPerSecondOfClock = 1000 / each('product', 'all', ({ clock }) => clock)
  figures['human.embedPerSecond'] = 1000 / each('human', 'all', busy)
  figures['human.embedPerSecondOfClock'] = 1000 / each('human', 'all', ({ clock }) => clock)
  // To compare like with like, since the other library has no equivalent of the product's second looks.
  figures.ratioToHuman = figures.oncePerSecond! / figures['human.embedPerSecond']
  figures.ratioOfAllToHuman = figures.allPerSecond! / figures['human.embedPerSecond']
  figures.residentMiB = peak(measured, 'product')
  figures['human.residentMiB'] = peak(measured, 'human')
  figures.facesFound = each('product', 'all', ({ faces }) => faces)
  figures['human.facesFound'] = each('human', 'all', ({ faces }) => faces)
  return figures
}

function peak(measured: ReadonlyMap<string, Round[]>, side: Side): number {
  return Math.max(...measured.get(`${side} all`)!.map(({ peakMiB }) => peakMiB))
}

function describe(pictures: number, pack: PackName): void {
  const version = (name: string) =>
    (createRequire(import.meta.url)(`../../node_modules/${name}/package.json`) as { version: string }).version
  const packages = ['onnxruntime-node', 'sharp', '@vladmandic/human', '@tensorflow/tfjs-backend-wasm']
  console.log(
    `${pictures} JPEGs of 1280 x 720, ${rounds} rounds in turn, after one to warm up; one thread each; ${pack} pack`,
  )
  console.log(`Node ${process.versions.node}, ${cpus()[0]?.model.trim()}`)
  console.log(packages.map((name) => `${name} ${version(name)}`).join(', '))
  console.log(
    'Found is a share of the pictures; rates are per second of processor time, or of the clock if marked.',
  )
}
