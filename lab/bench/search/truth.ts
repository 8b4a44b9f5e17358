import { exactSearch, MetricKind } from 'usearch'
import { blocksOf, type Gallery } from './gallery.ts'
import type { RivalMatch } from './rival.ts'

/**
 * Finds the nearest of the first `size` faces for each query, for each of the sizes in ascending order. Compares every face with every query in
 * float32, one block after another.
 */
export async function truthOf(gallery: Gallery, sizes: readonly number[]): Promise<RivalMatch[][]> {
  const { file, length, queries } = gallery
  const packed = new Float32Array(queries.length * length)
  for (const [i, query] of queries.entries()) packed.set(query, i * length)
  const best: RivalMatch[] = queries.map(() => ({ face: -1, cosine: Number.NEGATIVE_INFINITY }))
  const answers: RivalMatch[][] = []
  let seen = 0
  for await (const faces of blocksOf(file, length, sizes.at(-1)!)) {
    const nearest = exactSearch(faces, packed, length, 1, MetricKind.IP)
    for (let i = 0; i < queries.length; i++) {
      const cosine = 1 - nearest.distances[i]!
      if (cosine > best[i]!.cosine) best[i] = { face: seen + Number(nearest.keys[i]), cosine }
    }
    seen += faces.length / length
    if (sizes.includes(seen)) answers.push([...best])
  }
  return answers
}
