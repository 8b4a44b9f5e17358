import { embeddingLength } from '#shared/contract/analysis/face-verification.ts'
import type { Cases, Limits } from '../contract-case.ts'
import { imageCases, imageLimits } from './image.ts'

const embeddingOf = (length: number) => Array.from({ length }, (_, i) => (i + 1) / length)
const embedding1 = embeddingOf(embeddingLength)
const body = { embedding1, embedding2: embedding1 }

export const faceVerificationCases: Cases = {
  detectFaces: imageCases,
  getFaceEmbeddings: imageCases,
  getQuality: imageCases,
  compareFaceEmbeddings: {
    200: ({ key }) => ({ authorization: key, body }),
    400: ({ key }) => ({ authorization: key, body: { embedding1 } }),
    401: () => ({ body }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('configure', 'tokens'), body }),
  },
}

export const faceVerificationLimits: Limits = {
  detectFaces: imageLimits,
  getFaceEmbeddings: imageLimits,
  // Only the endpoints in the API document treat null as absent.
  getQuality: imageLimits.map((limit) => ({ ...limit, within: limit.within.filter((one) => one !== null) })),
  compareFaceEmbeddings: [
    {
      says: 'ours: 512 numbers',
      within: [512],
      beyond: [0, 128, 511, 513],
      pointer: '#/embedding2',
      send: ({ key }, length: number) => ({
        authorization: key,
        body: { embedding1, embedding2: embeddingOf(length) },
      }),
    },
  ],
}
