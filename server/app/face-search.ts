import { type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'
import {
  createFacesInThreads,
  createSearchThreads,
  createThreadsOfModels,
  startSearchThread,
} from '#server/features/recognition/recognition.ts'
import { openFaceServers } from './face-servers.ts'
import { measuredSearches } from './figures/measured-searches.ts'
import type { Settings } from './settings.ts'

interface Options {
  readonly settings: Settings
  /** The file of the worker that searches. */
  readonly searchWorker: string
  readonly onFailure: (error: unknown, where: string) => void
  /** Told among how many faces each search was, and how long it took. */
  readonly onSearch: (faces: number, durationInSeconds: number) => void
}

/** Everything that a server searches faces with: its threads, and the servers that keep faces. */
export function createFaceSearch({ settings, searchWorker, onFailure, onSearch }: Options) {
  const threads = createThreadsOfModels((model) =>
    createSearchThreads({
      count: settings.searchThreads,
      start: () => startSearchThread(searchWorker, embeddingLengths[model]),
      onFailure: (error) => onFailure(error, 'A search worker failed'),
    }),
  )
  const indexOf = (model: EmbeddingModel) => createFacesInThreads(threads.of(model), model)
  const servers = openFaceServers(
    settings,
    (error) => onFailure(error, 'A server that keeps faces failed'),
    onSearch,
  )
  return {
    ports: {
      createIndex: measuredSearches(indexOf, onSearch),
      facesInMemory: settings.facesInMemory,
      faceServers: servers.faceServers,
      faceIndex: servers.faceIndex,
      inexactSearches: servers.inexactSearches,
    },
    troubles: servers.troubles,
    async close() {
      await threads.close()
      await servers.close()
    },
  }
}
