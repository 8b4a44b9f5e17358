import { poorComponents, wantedForQuality } from '#models/rules/quality/face-quality.ts'
import type { AnalyseImage } from '#server/features/analysis/analysis.ts'
import type { AccountCaller, HandlersOf } from '#server/features/callers/callers.ts'
import type {
  CollectionAccess,
  CollectionWork,
  Decision,
} from '#server/features/recognition/collections/collection-access.ts'
import type { CollectionReader } from '#server/features/recognition/collections/collection-reader.ts'
import {
  type DominantFace,
  dominantFace,
  wantedToRecognise,
} from '#server/features/recognition/collections/dominant-face.ts'
import { noCollection } from '#server/features/recognition/collections/no-collection.ts'
import { refuseOtherModel } from '#server/features/recognition/collections/refuse-other-model.ts'
import { renewTemplate } from '#server/features/recognition/model-change/renew-template.ts'
import type { Image } from '#shared/contract/analysis/image.ts'
import type { QualityGate } from '#shared/contract/recognition/face-elements.ts'
import type { ResultSource } from '#shared/contract/recognition/recognition.ts'
import { refuseUnfitPerson } from './new-person.ts'

export type Faces = HandlersOf<'face-recognition', 'searchFace' | 'indexFace' | 'searchOrIndexFace'>

const noFace = { face: null, faceId: null, hasFace: false, unprocessedFaceCount: 0 } as const

interface FaceRequest {
  readonly body: {
    readonly image: Image
    readonly collectionId: string
    readonly externalId?: string | null
    readonly qualityGate?: QualityGate | undefined
  }
  readonly caller: AccountCaller
}

/** The faces in collections. Pictures are analysed without a lock; everything after that is a single step in the collection. */
export function createFaces(access: CollectionAccess, analyseImage: AnalyseImage): Faces {
  /** A missing collection (404) is reported before the picture is analysed (400). */
  async function findFace({ body, caller }: FaceRequest): Promise<DominantFace | undefined> {
    if ((await access.find(caller.accountId, body.collectionId)) === undefined) throw noCollection()
    await refuseUnfitPerson(access.faceStore, caller.accountId, body.externalId, '#/externalId')
    const wanted = { ...wantedToRecognise, ...(body.qualityGate && wantedForQuality) }
    return dominantFace(await analyseImage(body.image, wanted, caller))
  }

  function change<T>({ body, caller }: FaceRequest, decide: CollectionWork<Decision<T>>) {
    return access.change(caller.accountId, body.collectionId, decide)
  }

  return {
    async searchFace(request) {
      const found = await findFace(request)
      if (found === undefined) return noFace
      const { templates } = found
      const { collectionId, faceMatchThreshold } = request.body
      const match = await access.read(request.caller.accountId, collectionId, async (collection) => {
        requireComparable(collection)
        return collection.closest(templates, faceMatchThreshold)
      })
      if (match?.isFormer === true)
        await change(request, async (collection, writer) => ({
          answer: undefined,
          change: await renewTemplate(collection, writer, match, templates),
        }))
      return answerWith(found, match?.face.faceId ?? null)
    },
    async indexFace(request) {
      const found = await findFace(request)
      if (found === undefined) return noFace
      const refusal = refusalBy(request.body.qualityGate, found)
      if (refusal !== undefined) return refusal
      return change(request, async (collection, writer) => {
        requireComparable(collection)
        const added = writer.add(found.as(request.body.externalId, collection.models))
        return { answer: answerWith(found, added.faceId), change: added }
      })
    },
    async searchOrIndexFace(request) {
      const found = await findFace(request)
      if (found === undefined) return { ...noFace, resultSource: 'None' }
      const refusal = refusalBy(request.body.qualityGate, found)
      if (refusal !== undefined) return { ...refusal, resultSource: 'None' }
      const { collectionId, externalId, faceMatchThreshold } = request.body
      const answer = (faceId: string, resultSource: ResultSource) => ({
        ...answerWith(found, faceId),
        resultSource,
      })
      const decide = await access.ahead(
        request.caller.accountId,
        collectionId,
        async (collection, writer): Promise<Decision<ReturnType<typeof answer>>> => {
          requireComparable(collection)
          const match = await collection.closest(found.templates, faceMatchThreshold)
          if (match !== undefined) {
            const renewed = await renewTemplate(collection, writer, match, found.templates)
            return { answer: answer(match.face.faceId, 'Search'), change: renewed }
          }
          const added = writer.add(found.as(externalId, collection.models))
          return { answer: answer(added.faceId, 'Index'), change: added }
        },
      )
      return change(request, decide)
    },
  }
}

/** @throws {Problem} 404 if the collection was deleted in the meantime; 400 if its faces belong to another model */
function requireComparable(collection: CollectionReader): void {
  if (!collection.exists) throw noCollection()
  refuseOtherModel(collection, '#/collectionId')
}

function answerWith({ face, isComparable, unprocessedFaceCount }: DominantFace, faceId: string | null) {
  return { face, faceId, hasFace: true, isComparable, unprocessedFaceCount }
}

/** The answer if the picture is not good enough to store its face; undefined if it is, or if there is no requirement. */
function refusalBy(gate: QualityGate | undefined, found: DominantFace) {
  if (gate === undefined) return undefined
  const quality = found.quality()
  return quality.unifiedScore < gate.least
    ? { ...answerWith(found, null), refusedBy: poorComponents(quality) }
    : undefined
}
