import { type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'
import {
  createSearchThreads,
  createThreadedGallery,
  createThreadsOfModels,
  mostRows,
  startSearchThread,
  type TellRoom,
} from '#server/features/recognition/recognition.ts'
import { openFaceServers } from './face-servers.ts'
import { measuredSearches } from './figures/measured-searches.ts'
import type { Settings } from './settings.ts'
import { roomWarning } from './warnings/face-warnings.ts'

interface Options {
  readonly settings: Settings
  /** The search worker's file. */
  readonly searchWorker: string
  readonly log: {
    failure(error: unknown, where: string): void
    warning(code: string, meaning: string): void
  }
  /** Receives how many faces a search compared and how long it took. */
  readonly onSearch: (faces: number, durationInSeconds: number) => void
}

/** IDs distribute faces to threads at random, so when the first thread is full, the others still have a little room. */
const filledAtMost = 0.98
/** A single collection may use all of it, because the others are dropped first. */
const keptAtMost = 0.95

/** Everything that a server needs to search faces: its threads, and the servers that store faces. */
export function createFaceSearch({ settings, searchWorker, log, onSearch }: Options) {
  const mostFacesOf = (model: EmbeddingModel) =>
    Math.floor(settings.searchThreads * mostRows(embeddingLengths[model]) * filledAtMost)
  const threads = createThreadsOfModels((model) =>
    createSearchThreads({
      count: settings.searchThreads,
      mostFaces: mostFacesOf(model),
      start: () => startSearchThread(searchWorker, embeddingLengths[model]),
      onFailure: (error) => log.failure(error, 'A search worker failed'),
    }),
  )
  const galleryOf = (model: EmbeddingModel) => createThreadedGallery(threads.of(model), model)
  const servers = openFaceServers(
    settings,
    (error) => log.failure(error, 'A server that keeps faces failed'),
    onSearch,
  )
  return {
    ports: {
      createGallery: measuredSearches(galleryOf, onSearch),
      facesInMemory: Math.min(
        settings.facesInMemory,
        Math.floor(mostFacesOf(settings.pack.embeddingModel) * keptAtMost),
      ),
      tellRoom(...room: Parameters<TellRoom>) {
        const { code, meaning } = roomWarning(...room)
        log.warning(code, meaning)
      },
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
