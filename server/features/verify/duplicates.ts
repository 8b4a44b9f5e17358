import { can, type Pack } from '#models/rules/packs.ts'
import { thresholdAmong } from '#models/rules/search-threshold.ts'
import type { AnalyseImage } from '#server/features/analysis/analysis.ts'
import type { AccountCaller } from '#server/features/callers/callers.ts'
import { refuseFaults, unavailableInPack } from '#server/features/packs/packs.ts'
import {
  type CollectionAccess,
  type CollectionReader,
  type CollectionWriter,
  type Decision,
  type DominantFace,
  dominantFace,
  type FaceMatch,
  refuseOtherModel,
  refuseUnfitPerson,
  renewTemplate,
  wantedToRecognise,
} from '#server/features/recognition/recognition.ts'
import { refuseUnfitName } from '#server/platform/http/requests/new-name.ts'
import type { verifyDuplicate } from '#shared/contract/recognition/verify.ts'
import type { Handler, QueryOf } from '#shared/endpoint.ts'
import { demographicalInfoOf } from './demographical-info.ts'
import type { NoteFullness } from './fullness.ts'
import { createTelemetry } from './telemetry.ts'

export type VerifyDuplicate = Handler<typeof verifyDuplicate, AccountCaller>

interface Dependencies {
  readonly access: CollectionAccess
  readonly analyseImage: AnalyseImage
  readonly pack: Pack
  readonly fullness: NoteFullness
  /** The number of faces in a collection above which newcomers are refused. */
  readonly collectionLimit: number
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number
}

const pointers = { bytes: '#/imageData', url: '#/imageData' }

type Query = QueryOf<typeof verifyDuplicate>
type Finding = Omit<
  Awaited<ReturnType<VerifyDuplicate>>,
  'collectionName' | 'hasFace' | 'demographicalInfo' | 'telemetry'
>

/** Duplicate detection. An unknown person is added in the same step. */
export function createVerifyDuplicate(services: Dependencies): VerifyDuplicate {
  const { access, analyseImage, collectionLimit, stopwatch } = services

  return async ({ query, body, caller }) => {
    const { collectionName, externalIdentifier, includeDemographicalInfo } = query
    if (includeDemographicalInfo) refuseUnavailable(services.pack)
    const { accountId } = caller
    await refuseUnfitPerson(access.faceStore, accountId, externalIdentifier, '#/query/externalIdentifier')
    if ((await access.find(accountId, collectionName)) === undefined)
      refuseUnfitName('#/query/collectionName', collectionName)
    const telemetry = createTelemetry(stopwatch)
    const wanted = {
      ...wantedToRecognise,
      ...(includeDemographicalInfo ? { demographic: 'full' as const } : {}),
    }
    const found = await telemetry.time('analysis', async () =>
      dominantFace(await analyseImage({ bytes: body.imageData }, wanted, caller, pointers)),
    )
    const finding = await telemetry.time('collection', async () => {
      const decideInTurn = await access.ahead(accountId, collectionName, async (collection, writer) => {
        refuseOtherModel(collection, '#/query/collectionName')
        return found === undefined
          ? withoutFace(collection, writer, collectionLimit)
          : decide(collection, writer, found, query)
      })
      return access.change(accountId, collectionName, decideInTurn)
    })
    await services.fullness(caller.accountId, collectionName, finding.isCollectionFull)
    return {
      collectionName,
      hasFace: found !== undefined,
      ...finding,
      ...(includeDemographicalInfo
        ? { demographicalInfo: found ? demographicalInfoOf(found.analysis) : null }
        : {}),
      telemetry: telemetry.durations(),
    }
  }

  async function decide(
    collection: CollectionReader,
    writer: CollectionWriter,
    found: DominantFace,
    { externalIdentifier }: Query,
  ): Promise<Decision<Finding>> {
    const gallery = await collection.gallery()
    const { score, galleryTooLarge } = thresholdAmong(gallery.comparableCount, collection.models)
    const match = await collection.closest(found.templates, score)
    const isCollectionFull = gallery.size >= collectionLimit
    const always = { isCollectionFull, ...(galleryTooLarge ? { galleryTooLarge } : {}) }
    if (match !== undefined) {
      const change = await renewTemplate(collection, writer, match, found.templates)
      return { answer: { ...duplicateOf(match), ...always }, change }
    }
    if (isCollectionFull) return { answer: { faceId: null, isDuplicate: false, ...always } }
    const added = writer.add(found.as(externalIdentifier || null, collection.models))
    return { answer: { faceId: added.faceId, isDuplicate: false, ...always }, change: added }
  }
}

/** @throws {Problem} 400 */
function refuseUnavailable(pack: Pack): void {
  if (can(pack, 'demographic')) return
  const message = unavailableInPack(pack, 'age and gender')
  refuseFaults([{ pointer: '#/query/includeDemographicalInfo', message }])
}

/** Creates the collection on first use, even if the picture does not show a face. */
async function withoutFace(
  collection: CollectionReader,
  writer: CollectionWriter,
  limit: number,
): Promise<Decision<Finding>> {
  const isCollectionFull = (await collection.gallery()).size >= limit
  const answer = { faceId: null, isDuplicate: false, isCollectionFull }
  return collection.exists ? { answer } : { answer, change: writer.make() }
}

function duplicateOf({ face }: FaceMatch) {
  return { faceId: face.faceId, isDuplicate: true, externalIdentifierOfDuplicate: face.externalId }
}
