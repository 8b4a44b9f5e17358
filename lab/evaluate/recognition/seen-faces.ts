import type { Row } from '#lab/csv.ts'
import { type DataSet, filesOf, pathOf } from '#lab/evaluate/data-set.ts'
import { personOf } from '#lab/evaluate/part.ts'
import type { Bench } from '#lab/evaluate/running/bench.ts'
import type { AnalysisStages, FaceAnalysis } from '../../../models/rules/analysis.ts'
import type { ComparedModel } from '../../../models/rules/embedding.ts'
import { joined } from '../../../models/rules/templates.ts'
import { packSamples, type Samples } from './samples.ts'

/** A picture in a set as the server recognises it. */
export interface SeenPicture {
  readonly file: string
  readonly row: Row
  /** The dominant face, or undefined if none was found. */
  readonly face: SeenFace | undefined
}

/** The embedding is the one used to compare faces. If the pack has two, they are joined. */
export type SeenFace = Pick<FaceAnalysis, 'embedding' | 'embeddingStrength' | 'frameQuality'>

/** The analysis that the recognition endpoints request. */
const wanted: AnalysisStages = { embedding: true, group: true }

/** The dominant face in each readable picture. */
export async function seeFaces(set: DataSet, bench: Bench): Promise<SeenPicture[]> {
  const rows = new Map(set.rows.map((row) => [row.file!, row]))
  const seen = await bench.map(filesOf(set), `recognition: ${set.name}`, async (file) => {
    const analysis = await bench.analyse(pathOf(set, file), wanted)
    return analysis && { file, row: rows.get(file)!, face: analysis.face && essence(analysis.face) }
  })
  return seen.filter((one) => one !== null)
}

/** Keeps only the fields of an analysis that are measured, because thousands of them are in memory. */
function essence(face: FaceAnalysis): SeenFace {
  const { embedding: first, secondEmbedding: second, embeddingStrength, frameQuality } = face
  return {
    ...(first && { embedding: joined({ first, second }) }),
    ...(embeddingStrength !== undefined && { embeddingStrength }),
    ...(frameQuality !== undefined && { frameQuality }),
  }
}

/** The pictures with a face and their embeddings. If there is no identity, each picture is assumed to show a different person. */
export function samplesOf(
  seen: readonly SeenPicture[],
  model: ComparedModel,
): { pictures: SeenPicture[]; samples: Samples } {
  const pictures = seen.filter(({ face }) => face?.embedding !== undefined)
  const embeddings = pictures.map(({ face }) => face!.embedding!)
  const people = pictures.map(({ row }) => personOf(row))
  return { pictures, samples: packSamples(embeddings, people, model) }
}
