import { embed, embedders } from '../../models/networks/embedder.ts'
import type { OpenSession } from '../../models/networks/session.ts'
import type { RgbaFrame } from '../../models/picture/frame.ts'
import { Picture } from '../../models/picture/picture.ts'
import { createPipeline } from '../../models/pipeline.ts'
import type { EmbeddingModel, SecondModel } from '../../models/rules/embedding.ts'
import type { Mesh } from '../../models/rules/face/mesh.ts'
import { randomNumbers } from '../../shared/random-numbers.ts'
import { showProgress } from '../evaluate/progress.ts'
import type { Harmed } from './directions.ts'
import { type Harm, harms } from './harms.ts'
import { drawnHeads, headsIn } from './heads.ts'

export type LearntModel = EmbeddingModel | SecondModel

const drawnCount = 40
/** How often a harm is done to each head, with another extent every time; once where not named. */
const repeats: Readonly<Record<string, number>> = {
  ...{ darkened: 2, blurred: 3, small: 2, moved: 2, noisy: 2, compressed: 2, covered: 3 },
}
/** Landmarks of a poor picture are off by about this share of the face. */
const misplaced = 0.03

export interface HarmedFaces {
  /** By the model that saw them. */
  readonly harmed: ReadonlyMap<LearntModel, readonly Harmed[]>
  readonly headCount: number
}

/**
 * What networks make of the faces of a folder, and of heads that are drawn with them, after each harm. The landmarks are those of the
 * unharmed picture, a little displaced: so faces are seen, too, that nothing would be found in any more.
 */
export async function harmedFaces(
  folder: string,
  open: OpenSession,
  models: readonly LearntModel[],
): Promise<HarmedFaces> {
  const random = randomNumbers(1)
  const pipeline = createPipeline(open, () => performance.now())
  const found = await headsIn(folder, pipeline)
  const heads = [...found, ...(await drawnHeads(found, drawnCount, random))]
  const harmed = new Map<LearntModel, Harmed[]>(models.map((model) => [model, []]))
  const see = async (model: LearntModel, frame: RgbaFrame, mesh: Mesh) => {
    const { network } = embedders[model]
    return (await embed(await open(network), new Picture(frame), mesh, embedders[model])).embedding
  }
  const progress = showProgress('harmed faces', heads.length)
  const unharmed = new Map<LearntModel, Float32Array>()
  for (const head of heads) {
    for (const model of models) unharmed.set(model, await see(model, head.frame, head.mesh))
    for (const harm of timesOf(harms)) {
      const frame = await harms[harm]!(head, random)
      const mesh = displaced(head.mesh, random)
      for (const model of models) {
        const embedding = await see(model, frame, mesh)
        harmed.get(model)!.push({ harm, embedding, unharmed: unharmed.get(model)! })
      }
    }
    progress.step()
  }
  progress.end()
  return { harmed, headCount: heads.length }
}

function timesOf(known: Readonly<Record<string, Harm>>): string[] {
  return Object.keys(known).flatMap((name) => Array.from({ length: repeats[name] ?? 1 }, () => name))
}

/** Moved, turned and scaled about the middle of the picture. */
function displaced({ points, presence }: Mesh, random: () => number): Mesh {
  const drawn = () => misplaced * (random() + random() + random() + random() - 2) * Math.sqrt(3)
  const { dx, dy, angle, scale } = {
    dx: 120 * drawn(),
    dy: 120 * drawn(),
    angle: drawn(),
    scale: 1 + drawn(),
  }
  const [sin, cos] = [scale * Math.sin(angle), scale * Math.cos(angle)]
  const moved = Float32Array.from(points)
  const [middleX, middleY] = [0, 1].map((axis) => meanOf(points, axis)) as [number, number]
  for (let i = 0; i < points.length; i += 3) {
    const [x, y] = [points[i]! - middleX, points[i + 1]! - middleY]
    moved.set([middleX + dx + cos * x - sin * y, middleY + dy + sin * x + cos * y], i)
  }
  return { points: moved, presence }
}

function meanOf(points: Float32Array, axis: number): number {
  let sum = 0
  for (let i = axis; i < points.length; i += 3) sum += points[i]!
  return sum / (points.length / 3)
}
