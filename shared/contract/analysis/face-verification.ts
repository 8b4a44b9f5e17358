import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../../operator-roles.ts'
import { tinyJpeg } from '../elements.ts'
import { analysis } from '../policies.ts'
import { face, image, isComparable, maxFaceCount, unprocessedFaceCount } from './image.ts'

/**
 * [Note: Ours] Length of an embedding with the standard pack of networks, the conservative pack, and
 * the extended pack, which joins two embeddings.
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
      v.description('The dominant faces, most dominant first; empty without a face.'),
    ),
    unprocessedFaceCount,
  }),
  errors: [400, 401, 403],
  summary: 'Detects the faces in a picture.',
  description: 'Faces may be rotated by any angle; those that are not upright are missed more often.',
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
                `Embedding of the face: a vector of length 1 with ${embeddingLength} numbers; ${conservativeEmbeddingLength} if the server runs the conservative pack, ${extendedEmbeddingLength} if it runs the extended one.`,
              ),
            ),
            isComparable,
          }),
        ),
      ),
      v.description('The dominant faces, most dominant first; empty without a face.'),
    ),
    unprocessedFaceCount,
  }),
  errors: [400, 401, 403],
  summary: 'Extracts an embedding of each face in a picture.',
  description:
    'Embeddings are biometric data: protect them like faces. Embeddings of different model releases cannot be compared.',
  example: { body: { image: { bytes: tinyJpeg }, maxFaceCount: 1 } },
})

/** [Note: Ours] Has the model's length, is finite, and is not all zeros. The scale is arbitrary, since only the direction matters. */
const embedding = v.pipe(
  v.array(v.pipe(v.number(), v.finite('Must be a finite number.'))),
  v.minLength(
    conservativeEmbeddingLength,
    `Must have ${embeddingLength} numbers, ${conservativeEmbeddingLength} under the conservative pack, or ${extendedEmbeddingLength} under the extended one.`,
  ),
  v.maxLength(extendedEmbeddingLength, `Must have at most ${extendedEmbeddingLength} numbers.`),
  v.check((numbers) => numbers.some((number) => number !== 0), 'Must not be all zero.'),
  v.description(
    `An embedding from get-face-embeddings. The extended pack also accepts those of the standard pack, with ${embeddingLength} numbers, and compares the part that both have.`,
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
        'Similarity of the faces, -1 to 100; below 70 they should be treated as different people.',
      ),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Compares two embeddings.',
  description:
    'At 70, 80, 90 and 95 the false match rate is 1e-3, 1e-4, 1e-5 and 1e-6; the last is extrapolated. The score is rounded down so that thresholds keep their meaning. If a picture shows too little of the person, its embedding has a similarity of 0 to all others.',
  example: { body: { embedding1: exampleEmbedding, embedding2: exampleEmbedding } },
})

export const faceVerificationEndpoints = {
  detectFaces,
  getFaceEmbeddings,
  compareFaceEmbeddings,
}
