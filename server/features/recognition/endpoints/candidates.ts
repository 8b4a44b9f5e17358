import { wantedForQuality } from '#models/rules/quality/face-quality.ts'
import { mostDistinguishable } from '#models/rules/search-threshold.ts'
import type { AnalyseImage } from '#server/features/analysis/analysis.ts'
import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { CollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import type { CollectionReader } from '#server/features/recognition/collections/collection-reader.ts'
import {
  type DominantFace,
  dominantFace,
  wantedToRecognise,
} from '#server/features/recognition/collections/dominant-face.ts'
import { mostAlike } from '#server/features/recognition/collections/nearest-faces.ts'
import { noCollection } from '#server/features/recognition/collections/no-collection.ts'
import { refuseOtherModel } from '#server/features/recognition/collections/refuse-other-model.ts'
import type { FaceMatch } from '#server/features/recognition/index/gallery.ts'

export type Candidates = HandlersOf<'face-recognition', 'searchCandidates'>

const noFace = {
  face: null,
  hasFace: false,
  unprocessedFaceCount: 0,
  quality: null,
  candidates: [],
} as const

/** A face that may belong to the person in the picture, as returned to the caller. */
interface Candidate extends FaceMatch {
  readonly collectionId: string
  readonly externalId: string | null
  readonly indexedAt: string
}

interface CandidateQuery {
  readonly atLeast: number
  readonly most: number
  readonly perPerson: boolean
}

/** Finds several possible matches for a face across collections, with their scores. Stores nothing. */
export function createCandidates(access: CollectionAccess, analyseImage: AnalyseImage): Candidates {
  /** Searches one collection after another. If a collection is deleted in the meantime, the result is a 404. */
  function search(
    accountId: string,
    collectionId: string,
    i: number,
    face: DominantFace,
    query: CandidateQuery,
  ) {
    return access.read(accountId, collectionId, async (collection) => {
      if (!collection.exists) throw noCollection()
      refuseOtherModel(collection, `#/collectionIds/${i}`)
      return candidatesIn(collection, face, query)
    })
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

async function candidatesIn(
  collection: CollectionReader,
  { templates }: DominantFace,
  query: CandidateQuery,
) {
  const { atLeast, most, perPerson } = query
  const { matches, isExact, searchedCount } = await collection.nearest(templates, atLeast, most, perPerson)
  const read = await Promise.all(matches.map(({ face }) => collection.get(face.faceId)))
  const { collectionId } = collection.place
  const candidates = matches.flatMap((match, i): Candidate[] => {
    const enrolled = read[i]
    if (enrolled === undefined) return []
    const { externalId, created } = enrolled
    return [{ ...match, collectionId, externalId, indexedAt: created }]
  })
  const isTooLarge = searchedCount > mostDistinguishable(collection.models.embeddingModel)
  return { candidates, isExact, isTooLarge }
}

function answerOf({ collectionId, face: { faceId }, externalId, score, indexedAt }: Candidate) {
  return { collectionId, faceId, externalId, similarity: score, indexedAt }
}
