import { dot } from '#lab/statistics/dot.ts'
import { toUnit } from '../../../models/rules/embedding.ts'
import { cosineOf } from '../../../models/rules/similarity.ts'
import { blocksOf, type Gallery } from '../search/gallery.ts'

/** A person to search for whose face is in the gallery. */
export interface Mate {
  readonly query: Float32Array
  /** The face's number in the gallery. */
  readonly face: number
  readonly cosine: number
}

/** Just above the threshold, where the bounds miss the most mates, plus three higher values. */
const cosines = [cosineOf(80) + 0.001, 0.43, 0.47, 0.55]
const matesOfCosine = 100

/**
 * Real mates close to the threshold are rare, so queries are interpolated between a face in the gallery and a real person until they have a given
 * cosine.
 */
export async function drawnMates(gallery: Gallery, size: number): Promise<readonly Mate[]> {
  const { queries, length } = gallery
  const mates: Mate[] = []
  const wanted = cosines.length * matesOfCosine
  const every = Math.floor(size / wanted)
  let first = 0
  for await (const faces of blocksOf(gallery.file, length, size)) {
    for (let i = 0; i * length < faces.length; i++) {
      if ((first + i) % every !== 0 || mates.length >= wanted) continue
      const own = faces.slice(i * length, (i + 1) * length)
      const cosine = cosines[mates.length % cosines.length]!
      const query = between(own, queries[mates.length % queries.length]!, cosine)
      mates.push({ query, face: first + i, cosine })
    }
    first += faces.length / length
  }
  return mates
}

function between(own: Float32Array, away: Float32Array, cosine: number): Float32Array {
  const along = dot(own, 0, away, 0, own.length)
  const across = toUnit(away.map((value, i) => value - along * own[i]!))
  return toUnit(own.map((value, i) => cosine * value + Math.sqrt(1 - cosine ** 2) * across[i]!))
}
