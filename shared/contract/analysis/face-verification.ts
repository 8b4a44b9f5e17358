import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../console/operator-roles.ts'
import { tinyJpeg } from '../elements.ts'
import { analysis } from '../policies.ts'
import { face, image, isComparable, maxFaceCount, unprocessedFaceCount } from './image.ts'

/**
 * [Note: Ours] How many numbers an embedding has: under the standard pack of networks, under the conservative one, and under
 * the extended one, whose two embeddings are joined.
 */
export const embeddingLength = 512
export const conservativeEmbeddingLength = 128
export const extendedEmbeddingLength = 640

const body = v.object({ image, maxFaceCount })

export const detectFaces = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/face-verification/detect-faces',
  auth: 'key-or-bearer',
  scope: 'analyse',
  console: builders,
  ...analysis,
  body,
  result: v.object({
    faces: v.pipe(
      v.nullable(v.array(face)),
      v.description('The dominant faces, the most dominant one first; empty without a face.'),
    ),
    unprocessedFaceCount,
  }),
  errors: [400, 401, 403],
  summary: 'Finds the faces in a picture.',
  description:
    'Faces may be turned in the picture by any angle; those that are not upright are missed more often.',
  example: { body: { image: { bytes: tinyJpeg }, maxFaceCount: 100 } },
})

export const getFaceEmbeddings = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/face-verification/get-face-embeddings',
  auth: 'key-or-bearer',
  scope: 'analyse',
  console: builders,
  ...analysis,
  body,
  result: v.object({
    faces: v.pipe(
      v.nullable(
        v.array(
          v.object({
            face,
            embedding: v.pipe(
              v.nullable(v.array(v.number())),
              v.description(
                `What tells this face from others: ${embeddingLength} numbers, of length 1 as a vector; ${conservativeEmbeddingLength} where the server runs the conservative pack, ${extendedEmbeddingLength} where it runs the extended one.`,
              ),
            ),
            isComparable,
          }),
        ),
      ),
      v.description('The dominant faces, the most dominant one first; empty without a face.'),
    ),
    unprocessedFaceCount,
  }),
  errors: [400, 401, 403],
  summary: 'Extracts an embedding of each face in a picture.',
  description:
    'Embeddings are biometric data: keep them as you would keep a face. Those of another release of the model cannot be compared with these.',
  example: { body: { image: { bytes: tinyJpeg }, maxFaceCount: 1 } },
})

/** [Note: Ours] Of the model's length, finite and not all zero; of any scale, since only the direction counts. */
const embedding = v.pipe(
  v.array(v.pipe(v.number(), v.finite('Must be a finite number.'))),
  v.minLength(
    conservativeEmbeddingLength,
    `Must have ${embeddingLength} numbers, ${conservativeEmbeddingLength} under the conservative pack, or ${extendedEmbeddingLength} under the extended one.`,
  ),
  v.maxLength(extendedEmbeddingLength, `Must have at most ${extendedEmbeddingLength} numbers.`),
  v.check((numbers) => numbers.some((number) => number !== 0), 'Must not be all zero.'),
  v.description(
    `As get-face-embeddings answers it. The extended pack also takes those of the standard one, with ${embeddingLength} numbers: they are compared by what both have.`,
  ),
)

const exampleEmbedding = Array.from({ length: embeddingLength }, (_, i) => (i === 0 ? 1 : 0))

export const compareFaceEmbeddings = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/face-verification/compare-face-embeddings',
  auth: 'key-or-bearer',
  scope: 'analyse',
  console: builders,
  ...analysis,
  body: v.object({ embedding1: embedding, embedding2: embedding }),
  result: v.object({
    similarity: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(-1),
      v.maxValue(100),
      v.description(
        'How alike the faces are, -1 to 100; below 70 they should be taken for different people.',
      ),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Compares two embeddings.',
  description:
    'At 70, 80, 90 and 95 the rate of false positives is 1e-3, 1e-4, 1e-5 and 1e-6 on pairs of different people; the last is extrapolated. The score is rounded down, so that a threshold keeps its meaning. Embeddings of pictures that show too little of a person have a similarity of 0 to all others.',
  example: { body: { embedding1: exampleEmbedding, embedding2: exampleEmbedding } },
})

export const faceVerificationEndpoints = {
  detectFaces,
  getFaceEmbeddings,
  compareFaceEmbeddings,
}
