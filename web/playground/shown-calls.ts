import { getAge, getGender } from '#shared/contract/analysis/demographic.ts'
import { detectEmotionAttention } from '#shared/contract/analysis/emotion-attention.ts'
import { getQuality } from '#shared/contract/analysis/face-quality.ts'
import { detectLiveness } from '#shared/contract/analysis/liveness.ts'
import type { PictureRequest } from './shown-request.ts'

/** The maximum number of faces that are shown. */
export const mostFaces = 10

const several = { maxFaceCount: mostFaces }

/** A picture's calls as they are displayed: the path, the client method, and any body members besides the picture. */
export const shownCalls = {
  quality: { path: getQuality.path, call: 'faceVerification.getQuality', more: several },
  age: { path: getAge.path, call: 'demographic.getAge', more: several },
  gender: { path: getGender.path, call: 'demographic.getGender', more: several },
  expression: { path: detectEmotionAttention.path, call: 'emotionAttention.detectEmotionAttention' },
  liveness: { path: detectLiveness.path, call: 'liveness.detectLiveness' },
} as const satisfies Record<string, Omit<PictureRequest, 'fileName'>>
