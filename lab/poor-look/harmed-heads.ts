import { embed, embedders } from '../../models/networks/embedder.ts'
import type { OpenSession } from '../../models/networks/session.ts'
import type { RgbaFrame } from '../../models/picture/frame.ts'
import { Picture } from '../../models/picture/picture.ts'
import { createPipeline } from '../../models/pipeline/pipeline.ts'
import { type EmbeddingModel, type SecondModel, toUnit } from '../../models/rules/embedding.ts'
import { randomNumbers } from '../../shared/random-numbers.ts'
import { showProgress } from '../progress.ts'
import { clear, type HarmedHead } from './directions.ts'
import { compressed, type Head, harms } from './harms.ts'
import { drawnHeads, headsIn } from './heads.ts'

export type LearnedModel = Exclude<EmbeddingModel | SecondModel, 'dlib-face/2'>

const drawnCount = 165
/** How often a harm is applied to each head, to a different degree each time. Three times if it is not listed. */
const repeats: Readonly<Record<string, number>> = {
  'of two tones': 1,
  'of edges': 1,
  negative: 1,
  covered: 12,
}
const clearLooks = 4
/** The share of pictures that are also compressed, like most pictures that users send. */
const compressedShare = 0.3
/** A poor picture's landmarks are off by about this share of the face. */
const landmarkError = 0.03

export interface HarmedHeads {
  readonly byModel: ReadonlyMap<LearnedModel, readonly HarmedHead[]>
  readonly headCount: number
}

interface Look {
  readonly harm: string
  readonly frame: RgbaFrame
  readonly mesh: Head['mesh']
}

/**
 * The embeddings of a folder's faces, and of heads drawn from them, after each kind of damage. Uses the landmarks that the pipeline finds, or else
 * slightly displaced landmarks from the unharmed picture, so that faces that can hardly be detected are included too.
 */
export async function harmedHeads(
  folder: string,
  open: OpenSession,
  models: readonly LearnedModel[],
): Promise<HarmedHeads> {
  const pipeline = createPipeline(open, () => performance.now())
  const found = await headsIn(folder, pipeline)
  const heads = [...found, ...(await drawnHeads(found, drawnCount, randomNumbers(1)))]
  const byModel = new Map<LearnedModel, HarmedHead[]>(models.map((model) => [model, []]))
  const see = async (model: LearnedModel, { frame, mesh }: Look) =>
    (await embed(await open(embedders[model].network), new Picture(frame), mesh, embedders[model])).embedding
  const progress = showProgress('harmed heads', heads.length)
  for (const [i, head] of heads.entries()) {
    const looks: Look[] = []
    for (const look of await looksOf(head, randomNumbers(1000 + i))) {
      const face = look.isFixed ? undefined : (await pipeline.analyse(look.frame, {})).face
      looks.push(face === undefined ? look : { ...look, mesh: { ...look.mesh, points: face.landmarks } })
    }
    for (const model of models) {
      const seen: { harm: string; embedding: Float32Array }[] = []
      for (const look of looks) seen.push({ harm: look.harm, embedding: await see(model, look) })
      const own = meanOf(seen.filter(({ harm }) => harm === clear).map(({ embedding }) => embedding))
      byModel.get(model)!.push(...seen.map((one) => ({ ...one, clear: own })))
    }
    progress.step()
  }
  progress.end()
  return { byModel, headCount: heads.length }
}

/** With `isFixed`, these landmarks are used even if the pipeline would find different ones. */
async function looksOf(head: Head, random: () => number): Promise<(Look & { isFixed: boolean })[]> {
  const between = (low: number, high: number) => low + (high - low) * random()
  const looks = Array.from({ length: clearLooks }, (_, i) => ({
    ...{ harm: clear, frame: head.frame, isFixed: true },
    mesh: i === 0 ? head.mesh : displaced(head.mesh, random),
  }))
  const misplaced = [
    { angle: between(0.8, 5.5) },
    { angle: between(-0.3, 0.3), scale: random() < 0.5 ? between(0.45, 0.7) : between(1.4, 2) },
    { angle: between(-0.3, 0.3), dx: between(-50, 50), dy: between(-50, 50) },
  ]
  for (const by of misplaced)
    looks.push({ harm: 'misplaced', frame: head.frame, isFixed: true, mesh: moved(head.mesh, by) })
  for (const [harm, make] of Object.entries(harms))
    for (let i = 0; i < (repeats[harm] ?? 3); i++) {
      const made = await make(head, random)
      const frame = random() < compressedShare ? await compressed(made, 80) : made
      looks.push({ harm, frame, isFixed: false, mesh: displaced(head.mesh, random) })
    }
  return looks
}

function displaced(mesh: Head['mesh'], random: () => number): Head['mesh'] {
  const drawn = () => landmarkError * (random() + random() + random() + random() - 2) * Math.sqrt(3)
  return moved(mesh, { dx: 120 * drawn(), dy: 120 * drawn(), angle: drawn(), scale: 1 + drawn() })
}

interface Move {
  readonly dx?: number
  readonly dy?: number
  readonly angle?: number
  readonly scale?: number
}

/** Moves, rotates and scales about the centre of the face. */
function moved(
  { points, presence }: Head['mesh'],
  { dx = 0, dy = 0, angle = 0, scale = 1 }: Move,
): Head['mesh'] {
  const [sin, cos] = [scale * Math.sin(angle), scale * Math.cos(angle)]
  const to = Float32Array.from(points)
  const [centreX, centreY] = [centreOf(points, 0), centreOf(points, 1)]
  for (let i = 0; i < points.length; i += 3) {
    const [x, y] = [points[i]! - centreX, points[i + 1]! - centreY]
    to.set([centreX + dx + cos * x - sin * y, centreY + dy + sin * x + cos * y], i)
  }
  return { points: to, presence }
}

function centreOf(points: Float32Array, axis: number): number {
  let sum = 0
  for (let i = axis; i < points.length; i += 3) sum += points[i]!
  return sum / (points.length / 3)
}

function meanOf(embeddings: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(embeddings[0]!.length)
  for (const embedding of embeddings) for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + embedding[i]!
  return toUnit(sum)
}
