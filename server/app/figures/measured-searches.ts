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
  const searches: Pick<SearchableFaces, 'closest' | 'nearest'> = {
    closest: (...sought) => timed(() => index.closest(...sought)),
    nearest: (...sought) => timed(() => index.nearest(...sought)),
  }
  // All else is the index's own, whatever that is: a list of its members would lose the next one.
  return Object.assign(Object.create(index) as SearchableFaces, searches)
}
