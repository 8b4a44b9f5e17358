import { embeddingLengths } from '#models/rules/embedding.ts'
import type { Pack } from '#models/rules/packs.ts'
import { isComparable } from '#models/rules/quality/poor-look.ts'
import { scoreOf, wholeScore } from '#models/rules/similarity.ts'
import { joined, likenessOf, separated, type Templates } from '#models/rules/templates.ts'
import type { HandlersOf } from '#server/features/callers/callers.ts'
import { refuseFaults } from '#server/features/packs/packs.ts'
import type { compareFaceEmbeddings } from '#shared/contract/analysis/face-verification.ts'
import type { BodyOf } from '#shared/endpoint.ts'
import type { AnalyseImage } from './analyse-image.ts'
import { createFaceQuality } from './face-quality.ts'
import { foundFace } from './found-face.ts'

/** The face-verification role: finds faces, extracts their embeddings, compares two embeddings. */
export type FaceVerification = HandlersOf<
  'face-verification',
  'detectFaces' | 'getFaceEmbeddings' | 'compareFaceEmbeddings' | 'getQuality'
>

export function createFaceVerification(analyseImage: AnalyseImage, pack: Pack): FaceVerification {
  return {
    ...createFaceQuality(analyseImage),
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
          embedding: face.embedding === undefined ? null : embeddingOf(face.embedding, face.secondEmbedding),
          isComparable: isComparable(face.embedding ?? []),
        })),
        unprocessedFaceCount: analysis.others.length,
      }
    },
    async compareFaceEmbeddings({ body }) {
      refuseOtherLength(body, lengthsOf(pack))
      return { similarity: similarityOf(body.embedding1, body.embedding2, pack) }
    },
  }
}

function embeddingOf(first: Float32Array, second: Float32Array | undefined): number[] {
  return Array.from(joined({ first, second }))
}

/** Accepted embedding lengths: with the second embedding appended, if the pack has one, or without it. */
function lengthsOf({ embeddingModel, secondModel }: Pack): readonly number[] {
  const length = embeddingLengths[embeddingModel]
  return secondModel === undefined ? [length] : [length + embeddingLengths[secondModel], length]
}

/** Other models' embeddings have other lengths. @throws {Problem} 400 */
function refuseOtherLength(body: BodyOf<typeof compareFaceEmbeddings>, lengths: readonly number[]): void {
  const names = ['embedding1', 'embedding2'] as const
  const wrong = names.filter((name) => !lengths.includes(body[name].length))
  const message = `Must have ${lengths.join(' or ')} numbers, as the embedding models in use make them.`
  refuseFaults(wrong.map((name) => ({ pointer: `#/${name}`, message })))
}

/** The overall score for two non-zero embeddings. */
function similarityOf(a: readonly number[], b: readonly number[], pack: Pack): number {
  const { likeness, by } = likenessOf(unitTemplates(a, pack), unitTemplates(b, pack), pack)
  return wholeScore(scoreOf(likeness, by))
}

/** Normalises each embedding separately, because only directions count. An empty one counts as absent. */
function unitTemplates(embedding: readonly number[], pack: Pack): Templates {
  const { first, second } = separated(toUnit(embedding), pack)
  return { first: toUnit(first), second: second === undefined || isZero(second) ? undefined : toUnit(second) }
}

function isZero(vector: ArrayLike<number>): boolean {
  return Array.from(vector).every((value) => value === 0)
}

/**
 * Scales a vector to length 1 in double precision. Divides by its largest number first so that the squares do not overflow.
 * A zero vector stays zero.
 */
function toUnit(vector: ArrayLike<number>): number[] {
  const numbers = Array.from(vector)
  const largest = numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (largest === 0) return numbers
  const scaled = numbers.map((value) => value / largest)
  const norm = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0))
  return scaled.map((value) => value / norm)
}
