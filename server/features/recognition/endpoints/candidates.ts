import { wantedForQuality } from '#models/rules/quality/face-quality.ts'
import { mostDistinguishable } from '#models/rules/search-threshold.ts'
import type { AnalyseImage } from '#server/features/analysis/analysis.ts'
import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { CollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import type { OpenCollection } from '#server/features/recognition/collections/collection-reader.ts'
import {
  type DominantFace,
  dominantFace,
  wantedToRecognise,
} from '#server/features/recognition/collections/dominant-face.ts'
import { mostAlike } from '#server/features/recognition/collections/nearest-faces.ts'
import type { Hit } from '#server/features/recognition/index/gallery.ts'
import { noCollection } from './collections.ts'

export type Candidates = HandlersOf<'face-recognition', 'searchCandidates'>

const noFace = {
  face: null,
  hasFace: false,
  unprocessedFaceCount: 0,
  quality: null,
  candidates: [],
} as const

/** A face that may belong to the person in the picture, as returned to the caller. */
interface Candidate extends Hit {
  readonly collectionId: string
  readonly externalId: string | null
  readonly indexedAt: string
}

interface Wanted {
  readonly atLeast: number
  readonly most: number
  readonly perPerson: boolean
}

/** Finds several possible matches for a face across collections, with their scores. Stores nothing. */
export function createCandidates(access: CollectionAccess, analyseImage: AnalyseImage): Candidates {
  /** Searches one collection after another. If a collection is deleted in the meantime, the result is a 404. */
  async function search(
    accountId: string,
    collectionId: string,
    i: number,
    found: DominantFace,
    wanted: Wanted,
  ) {
    const searchIn = async (collection: OpenCollection) => {
      if (!collection.exists) throw noCollection()
      collection.refuseOtherModel(`#/collectionIds/${i}`)
      return candidatesIn(collection, found, wanted)
    }
    await access.ahead(accountId, collectionId, searchIn)
    return access.use(accountId, collectionId, searchIn)
  }

  return {
    async searchCandidates({ body, caller }) {
      const { collectionIds, image, faceMatchThreshold, maxCandidates, onePerExternalId } = body
      const { accountId } = caller
      for (const collectionId of collectionIds) {
        if ((await access.find(accountId, collectionId)) === undefined) throw noCollection()
      }
      const found = dominantFace(
        await analyseImage(image, { ...wantedToRecognise, ...wantedForQuality }, caller),
      )
      if (found === undefined) return { ...noFace, candidates: [] }
      const wanted = { atLeast: faceMatchThreshold, most: maxCandidates, perPerson: onePerExternalId }
      const searches = collectionIds.map((id, i) => search(accountId, id, i, found, wanted))
      const results = await Promise.all(searches)
      const all = results.flatMap(({ candidates }) => candidates)
      return {
        face: found.face,
        hasFace: true,
        isComparable: found.isComparable,
        unprocessedFaceCount: found.unprocessedFaceCount,
        quality: found.quality(),
        candidates: mostAlike(all, wanted).map(answerOf),
        ...(results.some(({ isExact }) => !isExact) && { isExact: false }),
        ...(results.some(({ isTooLarge }) => isTooLarge) && { findings: ['galleryTooLarge' as const] }),
      }
    },
  }
}

async function candidatesIn(collection: OpenCollection, { templates }: DominantFace, wanted: Wanted) {
  const { atLeast, most, perPerson } = wanted
  const { hits, isExact, searchedCount } = await collection.nearest(templates, atLeast, most, perPerson)
  const read = await Promise.all(hits.map(({ face }) => collection.get(face.faceId)))
  const { collectionId } = collection.place
  const candidates = hits.flatMap((hit, i): Candidate[] => {
    const kept = read[i]
    if (kept === undefined) return []
    return [{ ...hit, collectionId, externalId: kept.externalId, indexedAt: kept.created }]
  })
  const isTooLarge = searchedCount > mostDistinguishable(collection.models.embeddingModel)
  return { candidates, isExact, isTooLarge }
}

function answerOf({ collectionId, face: { faceId }, externalId, score, indexedAt }: Candidate) {
  return { collectionId, faceId, externalId, similarity: score, indexedAt }
}
