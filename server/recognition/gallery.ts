import { embeddingModel } from '#models/embedder.ts'
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
  /** The faces of the collection that the embedding may be compared with. */
  comparable: readonly Face[]
}

export function createGallery(faces: FaceStore): Gallery {
  const turns = createTurns()
  return {
    ask: ({ accountId, collectionId, ...rest }, commit) =>
      turns.take(`${accountId}/${collectionId}`, async () => {
        const collection = await faces.open(accountId, collectionId)
        const question = { accountId, collectionId, ...rest }
        const embedding = Float32Array.from(rest.portrait)
        const comparable = collection.faces.filter((face) => face.embeddingModel === embeddingModel)
        return commit(answerTo({ question, embedding, collection, comparable }))
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
  const { externalId, enroll } = sought.question
  if (externalId === null) return failed(sought, 'externalIdMissing')
  const enrolled = sought.collection.faces.filter((face) => face.externalId === externalId)
  if (enrolled.length > 0) return matchEnrolled(sought)
  if (!enroll) return failed(sought, 'externalIdUnknown')
  const { hit, galleryTooLarge } = searchOthers(sought)
  return hit === undefined
    ? added(sought, galleryTooLarge)
    : { ...failed(sought, 'duplicateFace'), galleryTooLarge }
}

/**
 * An id whose faces are all of another network matches none of them: it is not enrolled anew, or anyone could take it.
 */
function matchEnrolled(sought: Sought): Answer {
  const { externalId } = sought.question
  const own = closest(
    sought,
    sought.comparable.filter((face) => face.externalId === externalId),
    matchScore,
  )
  if (own === undefined) return failed(sought, 'faceMismatch')
  const { hit, galleryTooLarge } = searchOthers(sought)
  return hit !== undefined && score(hit, sought) > score(own, sought)
    ? { ...failed(sought, 'duplicateFace'), galleryTooLarge }
    : passed(sought, own, galleryTooLarge)
}

/** Whom the face belongs to beside the id that is asked about; nobody where ids need not be unique. */
function searchOthers(sought: Sought): Found {
  const { type, externalId } = sought.question
  if (type !== 'UniqueMatchVerification') return { hit: undefined, galleryTooLarge: false }
  return search(sought, (face) => face.externalId !== null && face.externalId !== externalId)
}

interface Found {
  readonly hit: Face | undefined
  readonly galleryTooLarge: boolean
}

function search(sought: Sought, among: (face: Face) => boolean = () => true): Found {
  const { comparable } = sought
  const threshold = searchThreshold(comparable.length)
  const hit = closest(sought, comparable.filter(among), threshold.score)
  return { hit, galleryTooLarge: threshold.galleryTooLarge }
}

/** The face that is most alike, where one reaches the score. */
function closest(sought: Sought, faces: readonly Face[], atLeast: number): Face | undefined {
  let best: Face | undefined
  let bestScore = atLeast
  for (const face of faces) {
    const reached = score(face, sought)
    if (reached < bestScore) continue
    best = face
    bestScore = reached
  }
  return best
}

function score(face: Face, { embedding }: Sought): number {
  return scoreOf(cosine(face.embedding, embedding))
}

function added({ collection, question, embedding }: Sought, galleryTooLarge: boolean): Answer {
  const { externalId } = question
  const { faceId, writes, guards } = collection.add({ externalId, embeddingModel, embedding })
  return { reason: null, faceId, galleryTooLarge, writes, guards }
}

function passed({ collection }: Sought, face: Face, galleryTooLarge: boolean): Answer {
  return { reason: null, faceId: face.faceId, galleryTooLarge, writes: [], guards: [collection.unchanged] }
}

function failed({ collection }: Sought, reason: FailedReason): Answer {
  return { reason, faceId: null, galleryTooLarge: false, writes: [], guards: [collection.unchanged] }
}
