import { availableParallelism } from 'node:os'
import { exactSearch, Index, MetricKind, ScalarKind } from 'usearch'
import { keepFaces } from './kept-faces.ts'
import type { RivalKind } from './rival.ts'

/** usearch's full scan: native code that uses the processor's widest instructions. */
export const nativeScan: RivalKind = {
  title: 'a full float32 scan in native code (usearch)',
  hasThreads: true,
  open({ length, size, threads }) {
    const { insert, kept } = keepFaces(length, size)
    return {
      insert,
      closest(embedding) {
        // usearch would read the entire buffer behind a view.
        const query = embedding.slice()
        const { keys, distances } = exactSearch(kept(), query, length, 1, MetricKind.IP, threads)
        return { face: Number(keys[0]), cosine: 1 - distances[0]! }
      },
    }
  },
}

/** usearch's graph index (HNSW) with its default connectivity and expansion, built on all cores. */
export function usearch(scalar: 'F32' | 'I8'): RivalKind {
  return {
    title: `usearch HNSW, ${scalar.toLowerCase()}`,
    open({ length }) {
      const index = new Index({
        dimensions: length,
        metric: MetricKind.Cos,
        quantization: ScalarKind[scalar],
        connectivity: 0,
        expansion_add: 0,
        expansion_search: 0,
        multi: false,
      })
      return {
        insert(vectors, first) {
          const keys = BigUint64Array.from({ length: vectors.length / length }, (_, i) => BigInt(first + i))
          index.add(keys, vectors, availableParallelism())
        },
        closest(embedding) {
          const { keys, distances } = index.search(embedding, 1, 1)
          return keys.length === 0 ? undefined : { face: Number(keys[0]), cosine: 1 - distances[0]! }
        },
      }
    },
  }
}
