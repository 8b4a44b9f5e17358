import type { CreateIndex, SearchableFaces } from '#server/features/recognition/recognition.ts'

/** Wraps indexes to report how many faces each search compared and how long it took. */
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
  const searches: Pick<SearchableFaces, 'closest' | 'nearest'> = {
    closest: (...sought) => timed(() => index.closest(...sought)),
    nearest: (...sought) => timed(() => index.nearest(...sought)),
  }
  // All other members come from the index itself. A list would miss the next member that is added.
  return Object.assign(Object.create(index) as SearchableFaces, searches)
}
