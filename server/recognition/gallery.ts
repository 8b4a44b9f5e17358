import { cosine, scoreOf } from '#models/similarity.ts'
import type { Guard, Write } from '#server/store/store.ts'
import { createTurns } from '#server/store/turns.ts'
import type { FailedReason } from '#shared/contract/session.ts'
import type { FaceRecognitionType } from '#shared/contract/verification.ts'
import type { Face, FaceStore, OpenCollection } from './face-store.ts'
import { matchScore, searchThreshold } from './search-threshold.ts'

export interface Question {
  readonly accountId: string
  readonly collectionId: string
  readonly type: Exclude<FaceRecognitionType, 'Disabled'>
  readonly externalId: string | null
  /** False: an unknown external id fails instead of being enrolled. */
  readonly enroll: boolean
  /** Unit embedding of the person. */
  readonly portrait: readonly number[]
}

/** What was found, and what a commit must write and hold for it to be true. */
export interface Answer {
  readonly reason: FailedReason | null
  readonly faceId: string | null
  readonly galleryTooLarge: boolean
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
}

export interface Gallery {
  /**
   * Searches, then adds, as one critical section per collection: `commit` runs inside it. The guards keep it one
   * across processes, so `commit` answers false when it lost and the question must be asked again.
   */
  ask<T>(question: Question, commit: (answer: Answer) => Promise<T>): Promise<T>
}

interface Sought {
  question: Question
  embedding: Float32Array
  collection: OpenCollection
}

export function createGallery(faces: FaceStore): Gallery {
  const turns = createTurns()
  return {
    ask: ({ accountId, collectionId, ...rest }, commit) =>
      turns.take(`${accountId}/${collectionId}`, async () => {
        const collection = await faces.open(accountId, collectionId)
        const question = { accountId, collectionId, ...rest }
        return commit(answerTo({ question, embedding: Float32Array.from(rest.portrait), collection }))
      }),
  }
}

function answerTo(sought: Sought): Answer {
  const { type } = sought.question
  if (type === 'CalculationOnly') return recognise(sought)
  if (type === 'DuplicateVerification') return refuseDuplicate(sought)
  return matchExternalId(sought)
}

/** The same person seen again gets the same faceId as before. */
function recognise(sought: Sought): Answer {
  const { hit, galleryTooLarge } = search(sought)
  return hit === undefined ? added(sought, galleryTooLarge) : passed(sought, hit, galleryTooLarge)
}

function refuseDuplicate(sought: Sought): Answer {
  const { hit, galleryTooLarge } = search(sought)
  if (hit === undefined) return added(sought, galleryTooLarge)
  return { ...passed(sought, hit, galleryTooLarge), reason: 'duplicateFace' }
}

function matchExternalId(sought: Sought): Answer {
  const { externalId, enroll, type } = sought.question
  if (externalId === null) return failed(sought, 'externalIdMissing')
  const enrolled = sought.collection.faces.filter((face) => face.externalId === externalId)
  if (enrolled.length > 0) {
    const own = enrolled.find((face) => score(face, sought) >= matchScore)
    return own === undefined ? failed(sought, 'faceMismatch') : passed(sought, own, false)
  }
  if (!enroll) return failed(sought, 'externalIdUnknown')
  const { hit, galleryTooLarge } = search(sought)
  const belongsToAnother = type === 'UniqueMatchVerification' && hit !== undefined && hit.externalId !== null
  return belongsToAnother
    ? { ...failed(sought, 'duplicateFace'), galleryTooLarge }
    : added(sought, type === 'UniqueMatchVerification' && galleryTooLarge)
}

function search(sought: Sought): { hit: Face | undefined; galleryTooLarge: boolean } {
  const { faces } = sought.collection
  const threshold = searchThreshold(faces.length)
  let best: Face | undefined
  let bestScore = threshold.score
  for (const face of faces) {
    const reached = score(face, sought)
    if (reached < bestScore) continue
    best = face
    bestScore = reached
  }
  return { hit: best, galleryTooLarge: threshold.galleryTooLarge }
}

function score(face: Face, { embedding }: Sought): number {
  return scoreOf(cosine(face.embedding, embedding))
}

function added({ collection, question, embedding }: Sought, galleryTooLarge: boolean): Answer {
  const { faceId, writes, guards } = collection.add({ externalId: question.externalId, embedding })
  return { reason: null, faceId, galleryTooLarge, writes, guards }
}

function passed({ collection }: Sought, face: Face, galleryTooLarge: boolean): Answer {
  return { reason: null, faceId: face.faceId, galleryTooLarge, writes: [], guards: [collection.unchanged] }
}

function failed({ collection }: Sought, reason: FailedReason): Answer {
  return { reason, faceId: null, galleryTooLarge: false, writes: [], guards: [collection.unchanged] }
}
