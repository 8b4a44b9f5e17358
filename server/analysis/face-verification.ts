import { type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'
import { cosine, scoreOf } from '#models/rules/similarity.ts'
import { refuseFaults } from '#server/configuration/pack-limits.ts'
import type { HandlersOf } from '#server/handlers.ts'
import type { compareFaceEmbeddings } from '#shared/contract/analysis/face-verification.ts'
import type { BodyOf } from '#shared/endpoint.ts'
import type { AnalyseImage } from './analyse-image.ts'
import { foundFace } from './found-face.ts'

/** The face-verification role: finds faces, extracts their embeddings, compares two of them. */
export type FaceVerification = HandlersOf<
  'face-verification',
  'detectFaces' | 'getFaceEmbeddings' | 'compareFaceEmbeddings'
>

export function createFaceVerification(analyseImage: AnalyseImage, model: EmbeddingModel): FaceVerification {
  return {
    async detectFaces({ body, caller }) {
      const analysis = await analyseImage(body.image, { group: true, faces: body.maxFaceCount }, caller)
      return {
        faces: analysis.faces.map((face) => foundFace(face, analysis)),
        unprocessedFaceCount: analysis.others.length,
      }
    },
    async getFaceEmbeddings({ body, caller }) {
      const wanted = { group: true, embedding: true, faces: body.maxFaceCount }
      const analysis = await analyseImage(body.image, wanted, caller)
      return {
        faces: analysis.faces.map((face) => ({
          face: foundFace(face, analysis),
          embedding: face.embedding === undefined ? null : Array.from(face.embedding),
        })),
        unprocessedFaceCount: analysis.others.length,
      }
    },
    async compareFaceEmbeddings({ body }) {
      refuseOtherLength(body, embeddingLengths[model])
      return { similarity: similarityOf(body.embedding1, body.embedding2, model) }
    },
  }
}

/** Forgives what floating point does to a score that is a whole number. */
const roundingError = 1e-6

/** [Note: A score is rounded down] A pair at 69.9 stays below a threshold of 70. */
export function wholeScore(score: number): number {
  return Math.floor(score + roundingError)
}

/** Those of another model have another length. @throws {Problem} 400 */
function refuseOtherLength(body: BodyOf<typeof compareFaceEmbeddings>, length: number): void {
  const names = ['embedding1', 'embedding2'] as const
  const wrong = names.filter((name) => body[name].length !== length)
  const message = `Must have ${length} numbers, as the embedding model in use makes them.`
  refuseFaults(wrong.map((name) => ({ pointer: `#/${name}`, message })))
}

/** The whole score of two embeddings of any length but zero. */
function similarityOf(a: readonly number[], b: readonly number[], model: EmbeddingModel): number {
  return wholeScore(scoreOf(cosine(toUnit(a), toUnit(b)), model))
}

/** Scales a vector to length 1 in double precision; by its largest number first, so that no square overflows. */
function toUnit(vector: readonly number[]): number[] {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const scaled = vector.map((value) => value / largest)
  const norm = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0))
  return scaled.map((value) => value / norm)
}
