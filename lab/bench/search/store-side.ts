import { availableParallelism } from 'node:os'
import { embeddingLengths, embeddingModel } from '../../../models/rules/embedding.ts'
import { createCollectionAccess } from '../../../server/features/recognition/collections/collection-access.ts'
import { createThreadedGallery } from '../../../server/features/recognition/index/threads/threaded-gallery.ts'
import { keyOfCollection } from '../../../server/features/recognition/store/collection.ts'
import { createKeyRing } from '../../../server/platform/crypto/key-ring.ts'
import { openLmdbStore } from '../../../server/platform/store/drivers/lmdb.ts'
import { blocksOf } from './gallery.ts'
import { openSearchThreads } from './product.ts'

/** In a separate process, writes a collection to the embedded store, or loads it from there and searches it once. */
export type StoreOrder =
  | { readonly folder: string; readonly fill: { file: string; length: number; size: number } }
  | { readonly folder: string; readonly query: Float32Array }

const [accountId, collectionId] = ['bench', 'people'] as const
const keyRing = createKeyRing(Buffer.alloc(32, 1), 'EU')

process.on('disconnect', () => process.exit())
process.on('message', (order: StoreOrder) => void run(order).then((took) => process.send!(took)))

/** From a closed store to the first answer. */
export interface OpeningTime {
  readonly ms: number
  /** The processor time of all threads. */
  readonly busyMs: number
}

async function run(order: StoreOrder): Promise<OpeningTime> {
  const [start, before] = [performance.now(), process.cpuUsage()]
  const store = openLmdbStore(order.folder)
  const threads = openSearchThreads(embeddingLengths[embeddingModel], availableParallelism())
  const access = createCollectionAccess(store, keyRing, Date.now, {
    facesInMemory: Number.POSITIVE_INFINITY,
    createGallery: (model) => createThreadedGallery(threads, model),
  })
  try {
    if ('query' in order)
      await access.use(accountId, collectionId, async (collection) =>
        collection.closest({ first: order.query }, 80),
      )
    else await fill(order.fill)
    const { user, system } = process.cpuUsage(before)
    return { ms: performance.now() - start, busyMs: (user + system) / 1000 }
  } finally {
    await threads.close()
    await store.close()
  }

  async function fill({ file, length, size }: { file: string; length: number; size: number }): Promise<void> {
    await access.change(accountId, collectionId, async (_, writer) => ({
      answer: undefined,
      change: writer.make(),
    }))
    const { place, record } = await access.use(accountId, collectionId, async (collection) => collection)
    const key = keyOfCollection(keyRing, accountId, record)
    for await (const faces of blocksOf(file, length, size)) {
      const writes = Array.from({ length: faces.length / length }, (_, i) => {
        const embedding = faces.slice(i * length, (i + 1) * length)
        return access.faceStore.writes.add(place, key, { externalId: null, embeddingModel, embedding }).writes
      })
      await store.commit(writes.flat(), [])
    }
  }
}
