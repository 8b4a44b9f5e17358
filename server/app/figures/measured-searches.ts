import type { CreateIndex, SearchableFaces } from '#server/features/recognition/recognition.ts'

/** Makes the same indexes, which report among how many faces each search was and how long it took. */
export function measuredSearches(
  createIndex: CreateIndex,
  tell: (faces: number, durationInSeconds: number) => void,
): CreateIndex {
  return (model) => measuredFaces(createIndex(model), tell)
}

function measuredFaces(
  index: SearchableFaces,
  tell: Parameters<typeof measuredSearches>[1],
): SearchableFaces {
  async function timed<T>(search: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const found = await search()
    tell(index.comparableCount, (performance.now() - started) / 1000)
    return found
  }
  const { addRecords, refusedRecords, hasRoomFor } = index
  return {
    ...(addRecords && { addRecords }),
    ...(refusedRecords && { refusedRecords }),
    ...(hasRoomFor && { hasRoomFor }),
    get size() {
      return index.size
    },
    get comparableCount() {
      return index.comparableCount
    },
    get isLost() {
      return index.isLost
    },
    add: (face) => index.add(face),
    remove: (faceId) => index.remove(faceId),
    closest: (...sought) => timed(() => index.closest(...sought)),
    nearest: (...sought) => timed(() => index.nearest(...sought)),
    hasExternalId: (externalId) => index.hasExternalId(externalId),
    settle: () => index.settle(),
    close: () => index.close(),
  }
}
