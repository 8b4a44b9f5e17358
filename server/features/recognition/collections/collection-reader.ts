import { separated, type Templates } from '#models/rules/templates.ts'
import type { FaceMatch, Gallery } from '#server/features/recognition/index/gallery.ts'
import { chooseIndex } from '#server/features/recognition/index/index-choice.ts'
import type { PersonFilter } from '#server/features/recognition/index/person-filter.ts'
import type { EnrolledFace } from '#server/features/recognition/store/face.ts'
import { closestFace } from './closest-face.ts'
import type { CollectionSources, CollectionState } from './collection-state.ts'
import { type BoundedGallery, type NearestMatches, nearestFaces } from './nearest-faces.ts'

/** A collection as it was read, and its faces. */
export interface CollectionReader extends Omit<CollectionState, 'unchanged'> {
  /** Splits an embedding by the current networks, one vector or two joined, into the form compared here. */
  separate(embedding: ArrayLike<number>): Templates
  /** Its faces, settled and ready for search, while the collection is being worked on. @throws like the index: see face-index.ts */
  gallery(): Promise<Gallery>
  /** The most similar face, if any face reaches the score; see closest-face.ts. */
  closest(templates: Templates, atLeast: number, filter?: PersonFilter): Promise<FaceMatch | undefined>
  /** Up to `most` of the most similar faces that reach the score; see nearest-faces.ts. */
  nearest(templates: Templates, atLeast: number, most: number, perPerson: boolean): Promise<NearestMatches>
  get(faceId: string): Promise<EnrolledFace | undefined>
  /** All faces, opened, in no particular order. */
  list(): AsyncIterable<EnrolledFace>
  /** A page of faces after a given one, in the same order. */
  page(limit: number, afterFaceId?: string): Promise<EnrolledFace[]>
}

export function openReader(sources: CollectionSources, state: CollectionState): CollectionReader {
  const { faceStore, indexes, model, secondModel } = sources
  const { record, place, key, models } = state
  const { unchanged: _, ...rest } = state
  const open = (ownKey: Buffer) =>
    chooseIndex(indexes, record.faceIndex).open({ place, key: ownKey, revision: record.revision })

  async function openBounded(): Promise<BoundedGallery> {
    const ownKey = key()
    return {
      gallery: await open(ownKey),
      models,
      get: (faceId) => faceStore.get(place, ownKey, faceId),
      onInexact: chooseIndex(indexes, record.faceIndex).onInexact,
    }
  }

  return {
    ...rest,
    separate: (embedding) => separated(embedding, { embeddingModel: model, secondModel }),
    gallery: () => open(key()),
    closest: async (templates, atLeast, filter) =>
      closestFace(await openBounded(), { templates, atLeast, filter }),
    nearest: async (templates, atLeast, most, perPerson) =>
      nearestFaces(await openBounded(), { templates, atLeast, most, perPerson }),
    get: (faceId) => faceStore.get(place, key(), faceId),
    list: () => faceStore.list(place, key()),
    page: (limit, afterFaceId) => faceStore.page(place, key(), limit, afterFaceId),
  }
}
