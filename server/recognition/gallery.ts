import { matchScore, searchThreshold } from '#models/rules/search-threshold.ts'
import type { Templates } from '#models/rules/templates.ts'
import type { Among } from '#server/recognition/search/face-rows.ts'
import type { Guard, Write } from '#server/store/store.ts'
import type { FaceRecognitionType } from '#shared/contract/configuration/verification-config.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'
import type { CollectionAccess } from './collection-access.ts'
import { newFaceOf } from './dominant-face.ts'
import type { OpenCollection } from './faces/open-collection.ts'
import type { Hit, SearchableFaces } from './faces/searchable-faces.ts'

export interface Question {
  readonly accountId: string
  readonly collectionId: string
  readonly type: Exclude<FaceRecognitionType, 'Disabled'>
  readonly externalId: string | null
  /** False: an unknown external id fails instead of being enrolled. */
  readonly enroll: boolean
  /** Unit embedding of the person: one, or two joined. */
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
  templates: Templates
  collection: OpenCollection
  faces: SearchableFaces
}

export function createGallery(access: CollectionAccess): Gallery {
  return {
    ask: (question, commit) =>
      access.use(question.accountId, question.collectionId, async (collection) => {
        collection.refuseOtherModel('#/collectionId')
        const templates = collection.templatesOf(question.portrait)
        const faces = await collection.faces()
        return commit(await answerTo({ question, templates, collection, faces }))
      }),
  }
}

async function answerTo(sought: Sought): Promise<Answer> {
  const { type } = sought.question
  if (type === 'CalculationOnly') return recognise(sought)
  if (type === 'DuplicateVerification') return refuseDuplicate(sought)
  return matchExternalId(sought)
}

/** The same person seen again gets the same faceId as before. */
async function recognise(sought: Sought): Promise<Answer> {
  const { hit, galleryTooLarge } = await search(sought)
  return hit === undefined ? added(sought, galleryTooLarge) : passed(sought, hit, galleryTooLarge)
}

async function refuseDuplicate(sought: Sought): Promise<Answer> {
  const { hit, galleryTooLarge } = await search(sought)
  if (hit === undefined) return added(sought, galleryTooLarge)
  return { ...passed(sought, hit, galleryTooLarge), reason: 'duplicateFace' }
}

async function matchExternalId(sought: Sought): Promise<Answer> {
  const { externalId, enroll } = sought.question
  if (externalId === null) return failed(sought, 'externalIdMissing')
  if (await sought.faces.hasExternalId(externalId)) return matchEnrolled(sought, externalId)
  if (!enroll) return failed(sought, 'externalIdUnknown')
  const { hit, galleryTooLarge } = await searchOthers(sought)
  return hit === undefined
    ? added(sought, galleryTooLarge)
    : { ...failed(sought, 'duplicateFace'), galleryTooLarge }
}

async function matchEnrolled(sought: Sought, externalId: string): Promise<Answer> {
  const own = await sought.collection.closest(sought.templates, matchScore, { externalId, is: true })
  if (own === undefined) return failed(sought, 'faceMismatch')
  const { hit, galleryTooLarge } = await searchOthers(sought)
  return hit !== undefined && hit.score > own.score
    ? { ...failed(sought, 'duplicateFace'), galleryTooLarge }
    : passed(sought, own, galleryTooLarge)
}

/** Whether the face belongs to another id than the one that is asked about; not looked up where ids need not be unique. */
async function searchOthers(sought: Sought): Promise<Found> {
  const { type, externalId } = sought.question
  if (type !== 'UniqueMatchVerification' || externalId === null)
    return { hit: undefined, galleryTooLarge: false }
  return search(sought, { externalId, is: false })
}

interface Found {
  readonly hit: Hit | undefined
  readonly galleryTooLarge: boolean
}

async function search({ faces, templates, collection }: Sought, among?: Among): Promise<Found> {
  const { score, galleryTooLarge } = searchThreshold(faces.comparableCount, collection.model)
  return { hit: await collection.closest(templates, score, among), galleryTooLarge }
}

function added({ collection, question, templates }: Sought, galleryTooLarge: boolean): Answer {
  const face = newFaceOf(question.externalId, templates, collection.models)
  const { faceId, writes, guards } = collection.add(face)
  return { reason: null, faceId, galleryTooLarge, writes, guards }
}

function passed({ collection }: Sought, { face }: Hit, galleryTooLarge: boolean): Answer {
  return { reason: null, faceId: face.faceId, galleryTooLarge, writes: [], guards: [collection.unchanged] }
}

function failed({ collection }: Sought, reason: FailedReason): Answer {
  return { reason, faceId: null, galleryTooLarge: false, writes: [], guards: [collection.unchanged] }
}
