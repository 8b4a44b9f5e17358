import { randomFillSync } from 'node:crypto'
import { embeddingModel } from '../../../models/rules/embedding.ts'
import { cosineThatReaches } from '../../../server/features/recognition/faces/searchable-faces.ts'
import { idBytes, mostRows } from '../../../server/features/recognition/search/arena.ts'
import {
  createSearchThreads,
  type SearchThreads,
} from '../../../server/features/recognition/search/search-threads.ts'
import { startSearchThread } from '../../../server/features/recognition/search/start-search-thread.ts'
import { fileOf } from '../built-sides.ts'
import type { RivalKind } from './rival.ts'
import { searchSides } from './sides.ts'

const workerFile = fileOf(searchSides, 'search.worker')

/** The product's own index of one collection, in its threads. */
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
        // Otherwise every insert would be in flight at once.
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

/** Planned fill of each thread; ids are spread at random, so some threads get more than others. */
const filledAtMost = 0.98

/** Number of threads needed to hold the faces. */
export function threadsToHold(size: number, length: number): number {
  return Math.ceil(size / (mostRows(length) * filledAtMost))
}

/** The threads that search, as the server starts them. */
export function openSearchThreads(length: number, count: number): SearchThreads {
  return createSearchThreads({
    count,
    start: () => startSearchThread(workerFile, length),
    onFailure(error) {
      throw error
    },
  })
}

/** Contains the number of a face, and random bytes otherwise, because ids are spread over the threads by their bytes. */
function idOf(number: number): Uint8Array {
  const id = randomFillSync(Buffer.alloc(idBytes))
  id.writeUInt32BE(number)
  return id
}
