import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { SearchThreads } from './search-threads.ts'

/** The threads of each model whose faces are searched, because all rows of a thread have one length. */
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
