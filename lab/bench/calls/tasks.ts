import type { HumanSettings } from '#lab/rivals/human.ts'
import { getAge, getGender } from '../../../shared/contract/analysis/demographic.ts'
import { detectEmotionAttention } from '../../../shared/contract/analysis/emotion-attention.ts'
import { getQuality } from '../../../shared/contract/analysis/face-quality.ts'
import { detectFaces, getFaceEmbeddings } from '../../../shared/contract/analysis/face-verification.ts'
import { detectLiveness } from '../../../shared/contract/analysis/liveness.ts'
import { searchCandidates } from '../../../shared/contract/recognition/named-faces.ts'
import { indexFace, searchFace, searchOrIndexFace } from '../../../shared/contract/recognition/recognition.ts'

const on = { enabled: true }

/** The other library's networks for each question. It uses its mesh to align faces, so only detection works without one. */
export const humanTasks = {
  detect: {},
  describe: { mesh: on, description: on },
  emotion: { mesh: on, emotion: on },
  liveness: { mesh: on, antispoof: on, liveness: on },
} as const satisfies Record<string, HumanSettings>

export type HumanTask = keyof typeof humanTasks

interface CallTask {
  readonly path: string
  /** The body's members besides the picture. */
  readonly members: (collectionId: string) => object
  /** The equivalent question for the other library. */
  readonly human: HumanTask
}

const ofOne = () => ({})
const inCollection = (collectionId: string) => ({ collectionId, faceMatchThreshold: 80 })

/** All endpoints that analyse a single picture, called with as few members as possible. */
export const callTasks: Readonly<Record<string, CallTask>> = {
  detectFaces: { path: detectFaces.path, members: ofOne, human: 'detect' },
  getFaceEmbeddings: { path: getFaceEmbeddings.path, members: ofOne, human: 'describe' },
  getAge: { path: getAge.path, members: ofOne, human: 'describe' },
  getGender: { path: getGender.path, members: ofOne, human: 'describe' },
  detectEmotionAttention: { path: detectEmotionAttention.path, members: ofOne, human: 'emotion' },
  detectLiveness: { path: detectLiveness.path, members: ofOne, human: 'liveness' },
  getQuality: { path: getQuality.path, members: ofOne, human: 'describe' },
  searchFace: { path: searchFace.path, members: inCollection, human: 'describe' },
  indexFace: { path: indexFace.path, members: (collectionId) => ({ collectionId }), human: 'describe' },
  searchOrIndexFace: { path: searchOrIndexFace.path, members: inCollection, human: 'describe' },
  searchCandidates: {
    path: searchCandidates.path,
    members: (collectionId) => ({ collectionIds: [collectionId], faceMatchThreshold: 80 }),
    human: 'describe',
  },
}
