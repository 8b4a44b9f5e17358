import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { CollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import type { CollectionReader } from '#server/features/recognition/collections/collection-reader.ts'
import { noCollection } from '#server/features/recognition/collections/no-collection.ts'
import type { EnrolledFace } from '#server/features/recognition/store/face.ts'
import { type getAllFaces, mostCounted } from '#shared/contract/recognition/recognition.ts'
import type { QueryOf } from '#shared/endpoint.ts'
import { identityForms } from '#shared/identity/identity-text.ts'
import { Problem } from '#shared/problem.ts'
import { refuseUnfitPerson } from './new-person.ts'

export type EnrolledFaces = HandlersOf<'face-recognition', 'updateFace' | 'deleteFace' | 'getAllFaces'>

/** Operations on enrolled faces that do not need a picture. */
export function createEnrolledFaces(access: CollectionAccess): EnrolledFaces {
  return {
    getAllFaces: ({ query, caller: { accountId } }) =>
      access.read(accountId, query.collectionId, (collection) => listFaces(access, collection, query)),
    updateFace: ({ body: { collectionId, faceId, externalId }, caller }) =>
      access.change(caller.accountId, collectionId, async (collection, writer) => {
        if (!collection.exists) throw noCollection()
        await refuseUnfitPerson(access.faceStore, caller.accountId, externalId, '#/externalId')
        const change = await writer.rename(faceId, externalId)
        if (change === undefined)
          throw new Problem('not_found', 'The face does not exist in this collection.')
        return { answer: { collectionId, faceId }, change }
      }),
    async deleteFace({ query: { collectionId, faceId }, caller }) {
      await access.change(caller.accountId, collectionId, async (collection, writer) => {
        if (!collection.exists) throw noCollection()
        return { answer: undefined, change: await writer.remove([faceId]) }
      })
      return {}
    },
  }
}

type FaceListQuery = QueryOf<typeof getAllFaces>

async function listFaces(access: CollectionAccess, collection: CollectionReader, query: FaceListQuery) {
  if (!collection.exists) throw noCollection()
  const { externalId, limit, cursor } = query
  if (externalId !== undefined) return listPerson(access, collection, externalId, { limit, cursor })
  const faces = await collection.page(limit + 1, cursor)
  const faceCount = cursor === undefined ? await countFaces(access, collection) : null
  return { ...toPage(faces, limit), faceCount }
}

/** Up to a page of faces, and the next page's cursor. */
function toPage(enrolled: readonly EnrolledFace[], limit: number) {
  const faces = enrolled.slice(0, limit).map(({ faceId, externalId, created, embeddingModel }) => ({
    faceId,
    externalId,
    created,
    embeddingModel,
  }))
  return { faces, nextCursor: enrolled.length > limit ? faces.at(-1)!.faceId : null }
}

/** A person has few faces, so they are found by external ID and paged here. */
async function listPerson(
  { faceStore }: CollectionAccess,
  { place, get }: CollectionReader,
  externalId: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
) {
  const enrolled: EnrolledFace[] = []
  for (const form of identityForms(externalId)) {
    for await (const { collectionId, faceId } of faceStore.ofExternalId(place.accountId, form)) {
      const face = collectionId === place.collectionId ? await get(faceId) : undefined
      if (face !== undefined) enrolled.push(face)
    }
  }
  // Sorted by ID, so that a page can continue even if the previous page's last face has been removed.
  const rest = enrolled
    .filter(({ faceId }) => cursor === undefined || faceId > cursor)
    .sort((a, b) => (a.faceId < b.faceId ? -1 : 1))
  return { ...toPage(rest.slice(0, limit + 1), limit), faceCount: null }
}

/** [Note: Counted up to a limit] The store does not count faces, and iterating over a million of them takes seconds. */
async function countFaces(
  { faceStore }: CollectionAccess,
  { place }: CollectionReader,
): Promise<number | null> {
  let count = 0
  for await (const _head of faceStore.heads(place)) if (++count > mostCounted) return null
  return count
}
