import type { Row } from '#lab/evaluate/csv.ts'
import { type DataSet, filesOf, pathOf } from '#lab/evaluate/data-set.ts'
import { personOf } from '#lab/evaluate/part.ts'
import type { Bench } from '#lab/evaluate/running/bench.ts'
import type { FaceAnalysis, Wanted } from '../../../models/rules/analysis.ts'
import type { Pack } from '../../../models/rules/packs.ts'
import { joined } from '../../../models/rules/templates.ts'
import { comparedSamples, type Samples } from './samples.ts'

/** A picture of a set as the server recognises it. */
export interface SeenPicture {
  readonly file: string
  readonly row: Row
  /** The dominant face; undefined where none was found. */
  readonly face: SeenFace | undefined
}

/** The embedding is what faces are compared by: both of a pack that has two, joined. */
export type SeenFace = Pick<FaceAnalysis, 'embedding' | 'embeddingStrength' | 'frameQuality'>

/** What the recognising endpoints want of a picture. */
const wanted: Wanted = { embedding: true, group: true }

/** The dominant face of every picture that can be read. */
export async function seeFaces(set: DataSet, bench: Bench): Promise<SeenPicture[]> {
  const rows = new Map(set.rows.map((row) => [row.file!, row]))
  const seen = await bench.map(filesOf(set), `recognition: ${set.name}`, async (file) => {
    const analysis = await bench.analyse(pathOf(set, file), wanted)
    return analysis && { file, row: rows.get(file)!, face: analysis.face && essence(analysis.face) }
  })
  return seen.filter((one) => one !== null)
}

/** Of what an analysis holds, no more than is measured: thousands of them are kept. */
function essence(face: FaceAnalysis): SeenFace {
  const { embedding: first, secondEmbedding: second, embeddingStrength, frameQuality } = face
  return {
    ...(first && { embedding: joined({ first, second }) }),
    ...(embeddingStrength !== undefined && { embeddingStrength }),
    ...(frameQuality !== undefined && { frameQuality }),
  }
}

/** The pictures with a face, and their embeddings; without an identity every picture shows another person. */
export function samplesOf(
  seen: readonly SeenPicture[],
  pack: Pack,
): { pictures: SeenPicture[]; samples: Samples } {
  const pictures = seen.filter(({ face }) => face?.embedding !== undefined)
  const embeddings = pictures.map(({ face }) => face!.embedding!)
  const people = pictures.map(({ row }) => personOf(row))
  return { pictures, samples: comparedSamples(embeddings, people, pack) }
}
