import type { CreateGallery, LocalGallery } from '#server/features/recognition/recognition.ts'

/** Wraps galleries to report how many faces each search compared and how long it took. */
export function measuredSearches(
  createGallery: CreateGallery,
  tell: (faces: number, durationInSeconds: number) => void,
): CreateGallery {
  return (model) => measuredGallery(createGallery(model), tell)
}

function measuredGallery(gallery: LocalGallery, tell: Parameters<typeof measuredSearches>[1]): LocalGallery {
  async function timed<T>(search: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const found = await search()
    tell(gallery.comparableCount, (performance.now() - started) / 1000)
    return found
  }
  const searches: Pick<LocalGallery, 'nearest'> = {
    nearest: (...search) => timed(() => gallery.nearest(...search)),
  }
  // All other members come from the gallery itself. A list would miss the next member that is added.
  return Object.assign(Object.create(gallery) as LocalGallery, searches)
}
