import { embeddingLengths } from '#models/rules/embedding.ts'
import { matchScore, thresholdAmong } from '#models/rules/search-threshold.ts'
import type { TemplateModels, Templates } from '#models/rules/templates.ts'
import type { Guard, Write } from '#server/platform/store/store.ts'
import type { FaceRecognitionType } from '#shared/contract/configuration/verification-config.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'
import { newFaceOf } from './dominant-face.ts'
import type { OpenCollection } from './faces/open-collection.ts'
import type { Hit, SearchedFaces } from './faces/searchable-faces.ts'
import type { Among } from './search/face-rows.ts'

export interface Question {
  readonly collectionId: string
  readonly type: Exclude<FaceRecognitionType, 'Disabled'>
  readonly externalId: string | null
  /** If false, an unknown external ID fails instead of being enrolled. */
  readonly enroll: boolean
  /** The person's unit embedding: one vector, or two joined. */
  readonly portrait: readonly number[]
  /** The former model's embedding, if one is kept. */
  readonly formerPortrait?: readonly number[] | undefined
}

/** The match, and the writes and guards with which a commit puts it into effect. */
export interface Answer {
  readonly reason: FailedReason | null
  readonly faceId: string | null
  readonly galleryTooLarge: boolean
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
}

interface Sought {
  question: Question
  templates: Templates
  collection: OpenCollection
  faces: SearchedFaces
}

/**
 * Searches a collection, and returns the changes that add the face when the result is committed. Must be called and
 * committed in the collection's turn; the guards keep search and commit consistent across processes.
 * @throws {Problem} 400 if the collection uses another embedding model
 */
export async function askGallery(collection: OpenCollection, question: Question): Promise<Answer> {
  collection.refuseOtherModel('#/collectionId')
  const { portrait, formerPortrait } = question
  const templates = { ...collection.templatesOf(portrait), former: formerPortrait }
  const faces = await collection.faces()
  const sought = { question, templates, collection, faces }
  return isOfModels(templates, collection.models) ? answerTo(sought) : failed(sought, 'lowQuality')
}

/** The face that matches a portrait at a score, if any; `incomparable` if the collection is gone or of other networks. */
export async function closestTo(
  collection: OpenCollection,
  { portrait, formerPortrait }: Pick<Question, 'portrait' | 'formerPortrait'>,
  atLeast: number,
): Promise<Hit | 'incomparable' | undefined> {
  const { exists, record, models } = collection
  if (!exists) return 'incomparable'
  if (record.embeddingModel === undefined) return undefined
  const isOther = record.embeddingModel !== models.embeddingModel && models.formerModel === undefined
  const templates = { ...collection.templatesOf(portrait), former: formerPortrait }
  if (isOther || !isOfModels(templates, models)) return 'incomparable'
  return collection.closest(templates, atLeast)
}

/** [Note: A visit keeps to its models] A visit that began before the networks changed has no comparable embedding. */
function isOfModels({ first, former }: Templates, { embeddingModel, formerModel }: TemplateModels): boolean {
  const isFirst = first.length === embeddingLengths[embeddingModel]
  return isFirst && (formerModel === undefined || former?.length === embeddingLengths[formerModel])
}

async function answerTo(sought: Sought): Promise<Answer> {
  const { type } = sought.question
  if (type === 'CalculationOnly') return recognise(sought)
  if (type === 'DuplicateVerification') return refuseDuplicate(sought)
  return matchExternalId(sought)
}

/** The same person gets the same faceId as before. */
async function recognise(sought: Sought): Promise<Answer> {
  const { hit, galleryTooLarge } = await search(sought)
  return hit === undefined ? added(sought, galleryTooLarge) : passed(sought, hit, galleryTooLarge)
}

async function refuseDuplicate(sought: Sought): Promise<Answer> {
  const { hit, galleryTooLarge } = await search(sought)
  if (hit === undefined) return added(sought, galleryTooLarge)
  return { ...(await passed(sought, hit, galleryTooLarge)), reason: 'duplicateFace' }
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

/** Checks if the face belongs to another external ID. Skipped if IDs do not need to be unique. */
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
  const { score, galleryTooLarge } = thresholdAmong(faces.comparableCount, collection.models)
  return { hit: await collection.closest(templates, score, among), galleryTooLarge }
}

function added({ collection, question, templates }: Sought, galleryTooLarge: boolean): Answer {
  const face = newFaceOf(question.externalId, templates, collection.models)
  const { faceId, writes, guards } = collection.add(face)
  return { reason: null, faceId, galleryTooLarge, writes, guards }
}

async function passed(sought: Sought, hit: Hit, galleryTooLarge: boolean): Promise<Answer> {
  const { collection, templates } = sought
  const unchanged = { writes: [], guards: [collection.unchanged] }
  const change = (await collection.renewal(hit, templates)) ?? unchanged
  return { reason: null, faceId: hit.face.faceId, galleryTooLarge, ...change }
}

function failed({ collection }: Sought, reason: FailedReason): Answer {
  return { reason, faceId: null, galleryTooLarge: false, writes: [], guards: [collection.unchanged] }
}
