import { type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'
import type {
  CollectionRevision,
  FaceIndex,
  IndexSources,
} from '#server/features/recognition/index/face-index.ts'
import type { Gallery } from '#server/features/recognition/index/gallery.ts'
import { reduceToModel } from '#server/features/recognition/store/face.ts'
import { ownerOf } from '#server/features/recognition/store/face-store.ts'
import { Problem } from '#shared/problem.ts'
import type { CodeCache } from './code-cache.ts'
import { createRotation } from './codes/rotation.ts'
import { fill, follow, type GalleryFeed } from './following.ts'
import { eraseGalleries, type GalleryState, listGalleries, makeGallery, readGallery } from './gallery-rows.ts'
import type { Partition } from './partition.ts'
import { createPostgresGallery, type PostgresGallerySources, type ServerGallery } from './postgres-gallery.ts'
import { createRecentSearches } from './recent-searches.ts'

/** The servers that store faces, and the observers of their searches. */
export interface FaceServers {
  /** In the configured order, which determines each face's server. */
  readonly partitions: readonly Partition[]
  /** Scans codes in this process; if absent, the servers do so. */
  readonly codeCache?: CodeCache | undefined
  /** Runs for each answer that may be incomplete. */
  readonly onInexact?: () => void
  /** Receives how many faces a search covered and how long it took. */
  readonly onSearch?: ((faces: number, durationInSeconds: number) => void) | undefined
}

interface Options extends IndexSources, FaceServers {
  readonly now: () => number
}

/** A call waits this long for faces that are still loading, and is then refused. */
const waitsForMilliseconds = 5000
const retryAfterInSeconds = 5
/** How often a call rebuilds a server's faces. Without a limit, processes with different settings would do so forever. */
const mostErasures = 2
/** The number of cached rotations, 6 kB each. */
const mostRotations = 1000

/** Faces on PostgreSQL servers, which every process searches. */
export function createPostgresIndex(options: Options): FaceIndex {
  const { partitions, codeCache, model, formerModel, faceStore, now } = options
  const { onInexact = () => undefined, onSearch = () => undefined } = options
  const recent = createRecentSearches(now)
  const rotationOf = createRotations()

  function feedOf({ place, key }: CollectionRevision): GalleryFeed {
    const name = { owner: ownerOf(place), view: nameView(model, formerModel) }
    return { ...options, formerModel, place, key, name, rotationOf: (one) => rotationOf(key, one) }
  }

  function openGallery(collection: CollectionRevision, galleries: readonly ServerGallery[]): Gallery {
    const { place, key } = collection
    const by = (one: EmbeddingModel, isFormer: boolean): PostgresGallerySources => ({
      ...{ galleries, key, model: one, isFormer, recent, codeCache, onSearch },
      rotation: rotationOf(key, one),
      async embeddingOf(faceId) {
        const face = await faceStore.get(place, key, faceId)
        const seen = face && reduceToModel(face, model)
        return seen?.embeddingModel === one ? seen.embedding : undefined
      },
    })
    const newest = createPostgresGallery(by(model, false))
    if (formerModel === undefined) return newest
    const former = createPostgresGallery(by(formerModel, true))
    return {
      ...newest,
      former,
      size: newest.size + former.size,
      comparableCount: newest.comparableCount + former.comparableCount,
      hasExternalId: async (externalId) =>
        (await newest.hasExternalId(externalId)) || former.hasExternalId(externalId),
    }
  }

  return {
    isShared: true,
    onInexact,
    async open(collection) {
      const feed = feedOf(collection)
      const until = now() + waitsForMilliseconds
      const galleries = await Promise.all(
        partitions.map(async (partition) => ({
          partition,
          gallery: await readyGallery(partition, feed, collection.revision, () => now() > until),
        })),
      )
      return openGallery(collection, galleries)
    },
    forget: () => undefined,
    places: () => [],
    async erase(place) {
      await Promise.all(partitions.map((partition) => eraseGalleries(partition, ownerOf(place))))
    },
    async eraseAll() {
      for (const partition of partitions) {
        for (const { owner } of await listGalleries(partition)) await eraseGalleries(partition, owner)
      }
    },
  }
}

/** A collection as seen by the current models. A process with other models has a separate view. */
function nameView(model: EmbeddingModel, formerModel: EmbeddingModel | undefined): string {
  return formerModel === undefined ? model : `${formerModel} then ${model}`
}

async function readyGallery(
  partition: Partition,
  feed: GalleryFeed,
  revision: number,
  isOver: () => boolean,
): Promise<GalleryState> {
  const { name } = feed
  for (let erasures = 0; ; ) {
    const state = await readGallery(partition, name)
    if (erasures > mostErasures) throw disputed()
    if (state === undefined) await makeGallery(partition, name, revision)
    else if (!isPlacedAs(state, partition) || (await isFromLater(feed, state, revision))) {
      erasures++
      await eraseGalleries(partition, name.owner)
    } else if (!(await follow(partition, feed, state, revision))) {
      erasures++
      await eraseGalleries(partition, name.owner)
    } else if (!state.isWhole) await fillInTime(partition, feed, isOver)
    else if (state.revision >= revision) return state
  }
}

function disputed(): Problem {
  return new Problem(
    'overloaded',
    'Another process has other INDEX_SERVERS, or lists them in another order, so each rebuilds the index. Use the same list everywhere.',
    { retryAfterInSeconds },
  )
}

async function fillInTime(partition: Partition, feed: GalleryFeed, isOver: () => boolean): Promise<void> {
  const filled = await fill(partition, feed, isOver)
  if (filled?.isWhole !== false) return
  throw new Problem(
    'overloaded',
    `The faces of the collection are being loaded into the index: ${filled.newest + filled.former} so far. Try again later.`,
    { retryAfterInSeconds, members: { facesTakenIn: filled.newest + filled.former } },
  )
}

/** [Note: The servers are counted] The number of servers determines each face's location. If it changes, every face moves. */
function isPlacedAs(state: GalleryState, { place, places }: Partition): boolean {
  return state.place === place && state.places === places
}

/**
 * True if a gallery is newer than the store because the store was restored. A change that another process made since the
 * collection was read is in the log.
 */
async function isFromLater({ changeLog, place }: GalleryFeed, state: GalleryState, revision: number) {
  return state.revision > revision && (await changeLog.read(place, state.revision)) === undefined
}

function createRotations() {
  const kept = new Map<string, ReturnType<typeof createRotation>>()
  return (key: Buffer, model: EmbeddingModel) => {
    const name = `${model}/${key.toString('base64')}`
    const known = kept.get(name)
    if (known !== undefined) return known
    const rotation = createRotation(key, embeddingLengths[model])
    if (kept.size >= mostRotations) kept.clear()
    kept.set(name, rotation)
    return rotation
  }
}
