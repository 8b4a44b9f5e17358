import { randomFillSync } from 'node:crypto'
import { embeddingModel } from '../../../models/rules/embedding.ts'
import { cosineThatReaches } from '../../../server/features/recognition/index/gallery.ts'
import { mostRows } from '../../../server/features/recognition/index/threads/arena.ts'
import {
  createSearchThreads,
  type SearchThreads,
} from '../../../server/features/recognition/index/threads/search-threads.ts'
import { startSearchThread } from '../../../server/features/recognition/index/threads/start-search-thread.ts'
import { idBytes } from '../../../server/features/recognition/store/face-id.ts'
import { fileOf } from '../built-sides.ts'
import type { RivalKind } from './rival.ts'
import { searchSides } from './sides.ts'

const workerFile = fileOf(searchSides, 'search.worker')

/** The product's own index for a single collection, in its threads. */
export const product: RivalKind = {
  title: 'the index of the product',
  hasThreads: true,
  open({ length, threads }) {
    const running = openSearchThreads(length, threads)
    const rows = running.open()
    return {
      async insert(vectors, first) {
        rows.add(
          Array.from({ length: vectors.length / length }, (_, i) => ({
            id: idOf(first + i),
            externalId: null,
            vector: vectors.subarray(i * length, (i + 1) * length),
          })),
        )
        // Otherwise, all inserts would be in flight at the same time.
        await rows.settle()
      },
      settle: () => rows.settle(true),
      async closest(embedding, score) {
        const [found] = await rows.nearest(embedding, cosineThatReaches(score, embeddingModel), 1)
        return found && { face: Buffer.from(found.id).readUInt32BE(), cosine: found.likeness }
      },
      close: () => running.close(),
    }
  },
}

/** How full each thread is planned to be. Ids are distributed randomly, so some threads get more than others. */
const filledAtMost = 0.98

/** How many threads are needed to hold the faces. */
export function threadsToHold(size: number, length: number): number {
  return Math.ceil(size / (mostRows(length) * filledAtMost))
}

/** Starts the search threads in the same way as the server. */
export function openSearchThreads(length: number, count: number): SearchThreads {
  return createSearchThreads({
    count,
    start: () => startSearchThread(workerFile, length),
    onFailure(error) {
      throw error
    },
  })
}

/** Contains a face's number and otherwise random bytes, because the bytes of an id determine its thread. */
function idOf(number: number): Uint8Array {
  const id = randomFillSync(Buffer.alloc(idBytes))
  id.writeUInt32BE(number)
  return id
}
