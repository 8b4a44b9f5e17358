import { embeddingLengths } from '#models/rules/embedding.ts'
import { matchScore, thresholdAmong } from '#models/rules/search-threshold.ts'
import type { TemplateModels, Templates } from '#models/rules/templates.ts'
import type { CollectionReader } from '#server/features/recognition/collections/collection-reader.ts'
import type { CollectionWriter } from '#server/features/recognition/collections/collection-writer.ts'
import { makeFace } from '#server/features/recognition/collections/dominant-face.ts'
import { refuseOtherModel } from '#server/features/recognition/collections/refuse-other-model.ts'
import type { FaceMatch, Gallery } from '#server/features/recognition/index/gallery.ts'
import type { PersonFilter } from '#server/features/recognition/index/person-filter.ts'
import { renewTemplate } from '#server/features/recognition/model-change/renew-template.ts'
import type { Guard, Write } from '#server/platform/store/store.ts'
import type { FaceRecognitionType } from '#shared/contract/configuration/verification-config.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'

/** Whom a session's picture may show. */
export interface PersonQuestion {
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
export interface PersonAnswer {
  readonly reason: FailedReason | null
  readonly faceId: string | null
  readonly galleryTooLarge: boolean
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
}

interface PersonSearch {
  readonly question: PersonQuestion
  readonly templates: Templates
  readonly collection: CollectionReader
  readonly writer: CollectionWriter
  readonly gallery: Gallery
}

/**
 * Searches a collection, and returns the changes that add the face when the result is committed. Must be
 * committed in the collection's turn; the guards keep search and commit consistent across processes.
 * @throws {Problem} 400 if the collection uses another embedding model
 */
export async function recognisePerson(
  collection: CollectionReader,
  writer: CollectionWriter,
  question: PersonQuestion,
): Promise<PersonAnswer> {
  refuseOtherModel(collection, '#/collectionId')
  const { portrait, formerPortrait } = question
  const templates = { ...collection.separate(portrait), former: formerPortrait }
  const gallery = await collection.gallery()
  const search = { question, templates, collection, writer, gallery }
  return isOfModels(templates, collection.models) ? answerTo(search) : failed(search, 'lowQuality')
}

/** The face that matches a portrait at a score, if any; `incomparable` if the collection is gone or of other networks. */
export async function closestInCollection(
  collection: CollectionReader,
  { portrait, formerPortrait }: Pick<PersonQuestion, 'portrait' | 'formerPortrait'>,
  atLeast: number,
): Promise<FaceMatch | 'incomparable' | undefined> {
  const { exists, record, models } = collection
  if (!exists) return 'incomparable'
  if (record.embeddingModel === undefined) return undefined
  const isOther = record.embeddingModel !== models.embeddingModel && models.formerModel === undefined
  const templates = { ...collection.separate(portrait), former: formerPortrait }
  if (isOther || !isOfModels(templates, models)) return 'incomparable'
  return collection.closest(templates, atLeast)
}

/** [Note: A visit keeps to its models] A visit that began before the networks changed has no comparable embedding. */
function isOfModels({ first, former }: Templates, { embeddingModel, formerModel }: TemplateModels): boolean {
  const isFirst = first.length === embeddingLengths[embeddingModel]
  return isFirst && (formerModel === undefined || former?.length === embeddingLengths[formerModel])
}

async function answerTo(search: PersonSearch): Promise<PersonAnswer> {
  const { type } = search.question
  if (type === 'CalculationOnly') return recognise(search)
  if (type === 'DuplicateVerification') return refuseDuplicate(search)
  return matchExternalId(search)
}

/** The same person gets the same faceId as before. */
async function recognise(search: PersonSearch): Promise<PersonAnswer> {
  const { match, galleryTooLarge } = await findMatch(search)
  return match === undefined ? added(search, galleryTooLarge) : passed(search, match, galleryTooLarge)
}

async function refuseDuplicate(search: PersonSearch): Promise<PersonAnswer> {
  const { match, galleryTooLarge } = await findMatch(search)
  if (match === undefined) return added(search, galleryTooLarge)
  return { ...(await passed(search, match, galleryTooLarge)), reason: 'duplicateFace' }
}

async function matchExternalId(search: PersonSearch): Promise<PersonAnswer> {
  const { externalId, enroll } = search.question
  if (externalId === null) return failed(search, 'externalIdMissing')
  if (await search.gallery.hasExternalId(externalId)) return matchEnrolled(search, externalId)
  if (!enroll) return failed(search, 'externalIdUnknown')
  const { match, galleryTooLarge } = await searchOthers(search)
  return match === undefined
    ? added(search, galleryTooLarge)
    : { ...failed(search, 'duplicateFace'), galleryTooLarge }
}

async function matchEnrolled(search: PersonSearch, externalId: string): Promise<PersonAnswer> {
  const own = await search.collection.closest(search.templates, matchScore, { externalId, is: true })
  if (own === undefined) return failed(search, 'faceMismatch')
  const { match, galleryTooLarge } = await searchOthers(search)
  return match !== undefined && match.score > own.score
    ? { ...failed(search, 'duplicateFace'), galleryTooLarge }
    : passed(search, own, galleryTooLarge)
}

/** Checks if the face belongs to another external ID. Skipped if IDs do not need to be unique. */
async function searchOthers(search: PersonSearch): Promise<SearchOutcome> {
  const { type, externalId } = search.question
  if (type !== 'UniqueMatchVerification' || externalId === null)
    return { match: undefined, galleryTooLarge: false }
  return findMatch(search, { externalId, is: false })
}

interface SearchOutcome {
  readonly match: FaceMatch | undefined
  readonly galleryTooLarge: boolean
}

async function findMatch(
  { gallery, templates, collection }: PersonSearch,
  filter?: PersonFilter,
): Promise<SearchOutcome> {
  const { score, galleryTooLarge } = thresholdAmong(gallery.comparableCount, collection.models)
  return { match: await collection.closest(templates, score, filter), galleryTooLarge }
}

function added(
  { collection, writer, question, templates }: PersonSearch,
  galleryTooLarge: boolean,
): PersonAnswer {
  const face = makeFace(question.externalId, templates, collection.models)
  const { faceId, writes, guards } = writer.add(face)
  return { reason: null, faceId, galleryTooLarge, writes, guards }
}

async function passed(
  search: PersonSearch,
  match: FaceMatch,
  galleryTooLarge: boolean,
): Promise<PersonAnswer> {
  const { collection, writer, templates } = search
  const unchanged = { writes: [], guards: [writer.unchanged] }
  const change = (await renewTemplate(collection, writer, match, templates)) ?? unchanged
  return { reason: null, faceId: match.face.faceId, galleryTooLarge, ...change }
}

function failed({ writer }: PersonSearch, reason: FailedReason): PersonAnswer {
  return { reason, faceId: null, galleryTooLarge: false, writes: [], guards: [writer.unchanged] }
}
