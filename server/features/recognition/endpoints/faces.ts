import { poorComponents, wantedForQuality } from '#models/rules/quality/face-quality.ts'
import type { AnalyseImage } from '#server/features/analysis/analysis.ts'
import type { AccountCaller, HandlersOf } from '#server/features/callers/callers.ts'
import type {
  CollectionAccess,
  Decision,
} from '#server/features/recognition/collections/collection-access.ts'
import type { OpenCollection } from '#server/features/recognition/collections/collection-reader.ts'
import {
  type DominantFace,
  dominantFace,
  wantedToRecognise,
} from '#server/features/recognition/collections/dominant-face.ts'
import type { Image } from '#shared/contract/analysis/image.ts'
import type { QualityGate } from '#shared/contract/recognition/face-elements.ts'
import type { ResultSource } from '#shared/contract/recognition/recognition.ts'
import { noCollection } from './collections.ts'
import { refuseUnfitPerson } from './new-person.ts'

export type Faces = HandlersOf<'face-recognition', 'searchFace' | 'indexFace' | 'searchOrIndexFace'>

const noFace = { face: null, faceId: null, hasFace: false, unprocessedFaceCount: 0 } as const

interface Asked {
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
  async function faceOf({ body, caller }: Asked): Promise<DominantFace | undefined> {
    if ((await access.find(caller.accountId, body.collectionId)) === undefined) throw noCollection()
    await refuseUnfitPerson(access.faceStore, caller.accountId, body.externalId, '#/externalId')
    const wanted = { ...wantedToRecognise, ...(body.qualityGate && wantedForQuality) }
    return dominantFace(await analyseImage(body.image, wanted, caller))
  }

  function change<T>({ body, caller }: Asked, decide: (collection: OpenCollection) => Promise<Decision<T>>) {
    return access.change(caller.accountId, body.collectionId, async (collection) => {
      if (!collection.exists) throw noCollection()
      collection.refuseOtherModel('#/collectionId')
      return decide(collection)
    })
  }

  return {
    async searchFace(asked) {
      const found = await faceOf(asked)
      if (found === undefined) return noFace
      await searchAhead(access, asked, found)
      return change(asked, async (collection) => {
        const { faceId, change } = await closest(collection, found, asked.body.faceMatchThreshold)
        return { answer: answerOf(found, faceId), ...change }
      })
    },
    async indexFace(asked) {
      const found = await faceOf(asked)
      if (found === undefined) return noFace
      const refusal = refusalOf(found, asked.body.qualityGate)
      if (refusal !== undefined) return refusal
      return change(asked, async (collection) => {
        const added = collection.add(found.as(asked.body.externalId, collection.models))
        return { answer: answerOf(found, added.faceId), change: added }
      })
    },
    async searchOrIndexFace(asked) {
      const found = await faceOf(asked)
      if (found === undefined) return { ...noFace, resultSource: 'None' }
      const refusal = refusalOf(found, asked.body.qualityGate)
      if (refusal !== undefined) return { ...refusal, resultSource: 'None' }
      const answer = (faceId: string, resultSource: ResultSource) => ({
        ...answerOf(found, faceId),
        resultSource,
      })
      await searchAhead(access, asked, found)
      return change(asked, async (collection) => {
        const known = await closest(collection, found, asked.body.faceMatchThreshold)
        if (known.faceId !== null) return { answer: answer(known.faceId, 'Search'), ...known.change }
        const added = collection.add(found.as(asked.body.externalId, collection.models))
        return { answer: answer(added.faceId, 'Index'), change: added }
      })
    },
  }
}

/** With a shared index, searches for all faces before the turn, so that the turn only covers newer faces. */
function searchAhead(
  access: CollectionAccess,
  {
    body: { collectionId, faceMatchThreshold },
    caller,
  }: Asked & { readonly body: { readonly faceMatchThreshold: number } },
  { templates }: DominantFace,
): Promise<void> {
  return access.ahead(caller.accountId, collectionId, async (collection) => {
    collection.refuseOtherModel('#/collectionId')
    await collection.closest(templates, faceMatchThreshold)
  })
}

/** The matching face, and the embeddings to add to it if the former model found it. */
async function closest(collection: OpenCollection, { templates }: DominantFace, threshold: number) {
  const hit = await collection.closest(templates, threshold)
  const change = await collection.renewal(hit, templates)
  return { faceId: hit?.face.faceId ?? null, change: change && { change } }
}

function answerOf({ face, isComparable, unprocessedFaceCount }: DominantFace, faceId: string | null) {
  return { face, faceId, hasFace: true, isComparable, unprocessedFaceCount }
}

/** The answer if the picture is not good enough to store its face; undefined if it is, or if there is no requirement. */
function refusalOf(found: DominantFace, gate: QualityGate | undefined) {
  if (gate === undefined) return undefined
  const quality = found.quality()
  return quality.unifiedScore < gate.least
    ? { ...answerOf(found, null), refusedBy: poorComponents(quality) }
    : undefined
}
