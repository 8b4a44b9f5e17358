import { dot } from '#lab/statistics/dot.ts'
import { comparedBy } from '../../models/rules/packs.ts'
import { cosineOf, scoreOf } from '../../models/rules/similarity.ts'
import { joined } from '../../models/rules/templates.ts'
import { type DataSet, pathOf } from './data-set.ts'
import { Figures } from './figures.ts'
import { personOf } from './part.ts'
import { type DocumentStep, documentPortrait, documentSteps } from './recognition/document-portrait.ts'
import { packSamples } from './recognition/samples.ts'
import type { Bench } from './running/bench.ts'
import type { Task } from './task.ts'

const wanted = { embedding: true, group: true } as const
const scores = [70, 80, 90] as const

/** A camera's picture and the same picture turned into a document portrait. */
interface DocumentPair {
  readonly person: string
  readonly camera: Float32Array
  /** Undefined if no face was found in it. */
  readonly document: Float32Array | undefined
}

/**
 * Compares people with their document portraits. Each picture in a set is turned into a portrait and compared with the same camera's other pictures,
 * but never with itself. The original picture is the control.
 */
export const documents: Task = {
  name: 'documents',
  summary: 'a picture of a camera against the portrait of a document: small, grey, compressed, printed',
  async evaluate(set: DataSet, bench: Bench): Promise<Figures> {
    const figures = new Figures()
    if (!set.columns.has('identity')) return figures
    for (const step of ['original', ...documentSteps] as const) {
      const shown = await show(set, bench, step)
      figures.rate(
        `${step}.noFace`,
        shown.filter(({ document }) => document === undefined).length,
        shown.length,
      )
      addErrors(figures, shown, step, bench)
    }
    figures.note(
      'Each step is added to the previous ones: 120 by 154 pixels, cropped to the face; without colour; JPEG at quality 30; printed with bleeding ink on grey, grainy paper, and photographed.',
    )
    return figures
  },
}

async function show(set: DataSet, bench: Bench, step: DocumentStep | 'original'): Promise<DocumentPair[]> {
  const seen = await bench.map(
    set.rows,
    `documents: ${set.name}, ${step}`,
    async (row): Promise<DocumentPair | null> => {
      const frame = await bench.decode(pathOf(set, row.file!))
      const face = frame && (await bench.analyse(frame, wanted))?.face
      if (!frame || face?.embedding === undefined) return null
      const camera = joined({ first: face.embedding, second: face.secondEmbedding })
      if (step === 'original') return { person: personOf(row), camera, document: camera }
      const portrait = await bench.analyse(await documentPortrait(frame, face.box, step), wanted)
      const first = portrait?.face?.embedding
      const document = first && joined({ first, second: portrait!.face!.secondEmbedding })
      return { person: personOf(row), camera, document }
    },
  )
  return seen.filter((one) => one !== null)
}

/** Both error rates at the product's scores, and the score at which strangers match as often as the scale promises for 80. */
function addErrors(figures: Figures, shown: readonly DocumentPair[], step: string, { pack }: Bench): void {
  const found = shown.filter(({ document }) => document !== undefined)
  const people = found.map(({ person }) => person)
  const model = comparedBy(pack)
  const camera = packSamples(
    found.map((one) => one.camera),
    people,
    model,
  )
  const document = packSamples(
    found.map((one) => one.document!),
    people,
    model,
  )
  const genuine: number[] = []
  const impostor: number[] = []
  for (let i = 0; i < camera.count; i++) {
    for (let j = 0; j < document.count; j++) {
      if (i === j) continue
      const cosine = dot(
        camera.embeddings,
        i * camera.length,
        document.embeddings,
        j * camera.length,
        camera.length,
      )
      if (people[i] === people[j]) genuine.push(cosine)
      else impostor.push(cosine)
    }
  }
  for (const score of scores) {
    const limit = cosineOf(score, model)
    figures.rate(
      `${step}.fmrAtScore${score}`,
      impostor.filter((cosine) => cosine >= limit).length,
      impostor.length,
    )
    figures.rate(
      `${step}.fnmrAtScore${score}`,
      genuine.filter((cosine) => cosine < limit).length,
      genuine.length,
    )
  }
  const descending = Float64Array.from(impostor).sort().reverse()
  for (const rate of [1e-3, 1e-4]) {
    const limit = descending[Math.floor(rate * descending.length)]
    if (limit === undefined || rate * descending.length < 3) continue
    figures.add(
      `${step}.scoreAtFmr${rate === 1e-3 ? '1e-3' : '1e-4'}`,
      scoreOf(limit, model),
      impostor.length,
    )
    figures.rate(
      `${step}.fnmrAtFmr${rate === 1e-3 ? '1e-3' : '1e-4'}`,
      genuine.filter((cosine) => cosine <= limit).length,
      genuine.length,
    )
  }
}
