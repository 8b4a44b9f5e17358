import type { SearchableFaces } from './searchable-faces.ts'

/** What happens to an index when a change of the store, which may yet fail, has come about. */
export interface ExpectedChange {
  readonly from: string
  readonly to: string
  readonly apply: (index: SearchableFaces) => void
}

/** Indexes that are kept, each right for one revision of its gallery. */
export interface IndexCache {
  /** The index of this very revision, if it is kept or follows from the change that was expected. */
  get(galleryId: string, revision: string): SearchableFaces | undefined
  keep(galleryId: string, revision: string, index: SearchableFaces): void
  /** Tells what the next revision holds; without effect where the one before is not kept. */
  expect(galleryId: string, change: ExpectedChange): void
  forget(galleryId: string): void
}

interface Kept {
  readonly revision: string
  readonly index: SearchableFaces
  readonly expected?: ExpectedChange
}

/** An index takes memory for some faces before it has any. */
const leastCost = 16
const costOf = ({ size }: SearchableFaces) => Math.max(leastCost, size)

/** Keeps so many faces in all; the gallery that was used longest ago goes first, the one in use stays. */
export function createIndexCache(mostFaces: number): IndexCache {
  const kept = new Map<string, Kept>()

  function put(galleryId: string, entry: Kept): void {
    kept.delete(galleryId)
    kept.set(galleryId, entry)
  }

  function makeRoom(): void {
    let faces = [...kept.values()].reduce((sum, { index }) => sum + costOf(index), 0)
    for (const [galleryId, { index }] of kept) {
      if (faces <= mostFaces || kept.size === 1) return
      kept.delete(galleryId)
      faces -= costOf(index)
    }
  }

  function get(galleryId: string, revision: string): SearchableFaces | undefined {
    const entry = kept.get(galleryId)
    if (entry === undefined) return undefined
    const { index, expected } = entry
    if (entry.revision === revision) {
      put(galleryId, entry)
      return index
    }
    if (expected?.to !== revision) return undefined
    expected.apply(index)
    put(galleryId, { revision, index })
    makeRoom()
    return index
  }

  return {
    get,
    keep(galleryId, revision, index) {
      put(galleryId, { revision, index })
      makeRoom()
    },
    expect(galleryId, change) {
      const index = get(galleryId, change.from)
      if (index !== undefined) put(galleryId, { revision: change.from, index, expected: change })
    },
    forget: (galleryId) => void kept.delete(galleryId),
  }
}
