import { catchUp } from './catching-up.ts'
import { createFacesOfTwoModels } from './faces-of-two-models.ts'
import { createIndexCache, type KeptIndex } from './index-cache.ts'
import type { FaceIndex, IndexSources } from './indexed-collections.ts'
import { loadFaces } from './loading.ts'
import type { CreateIndex, SearchableFaces } from './searchable-faces.ts'

interface Options extends IndexSources {
  readonly createIndex: CreateIndex
  /** How many faces of all collections together stay ready. */
  readonly facesInMemory: number
  /** Told of each index that is no longer kept; somebody may still be using it. */
  readonly dropped: (kept: KeptIndex) => void
}

/** Faces in the memory of this process, read from the store where they are not there. To be asked in the turn of the collection. */
export function createMemoryIndex(options: Options): FaceIndex {
  const { changeLog, faceStore, facesInMemory, dropped } = options
  const cache = createIndexCache(facesInMemory, dropped)
  return {
    isShared: false,
    async ready({ place, key, revision }) {
      const source = { changeLog, faceStore, place, key }
      const kept = cache.get(place)
      if (kept !== undefined && !kept.index.isLost && (await catchUp(kept, revision, source))) {
        await kept.index.settle()
        cache.makeRoom()
        return kept.index
      }
      cache.forget(place)
      const index = await loadFaces(emptyIndex(options), source)
      cache.keep({ place, index, revision })
      return index
    },
    forget: cache.forget,
    places: cache.places,
    async erase(place) {
      cache.forget(place)
    },
    async eraseAll() {
      for (const place of cache.places()) cache.forget(place)
    },
  }
}

function emptyIndex({ createIndex, model, formerModel }: Options): SearchableFaces {
  return formerModel === undefined
    ? createIndex(model)
    : createFacesOfTwoModels(createIndex, model, formerModel)
}
