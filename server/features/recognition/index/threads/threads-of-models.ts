import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { SearchThreads } from './search-threads.ts'

/** The threads for each searched model. They are separate because all rows in a thread have the same length. */
export interface ThreadsOfModels {
  of(model: EmbeddingModel): SearchThreads
  close(): Promise<void>
}

export function createThreadsOfModels(create: (model: EmbeddingModel) => SearchThreads): ThreadsOfModels {
  const made = new Map<EmbeddingModel, SearchThreads>()
  return {
    of(model) {
      const threads = made.get(model) ?? create(model)
      made.set(model, threads)
      return threads
    },
    async close() {
      await Promise.all([...made.values()].map((threads) => threads.close()))
    },
  }
}
