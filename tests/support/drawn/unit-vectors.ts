import { randomNumbers } from '#shared/random-numbers.ts'

export function unit(values: ArrayLike<number>): Float32Array {
  const norm = Math.hypot(...Array.from(values))
  return Float32Array.from(values, (value) => value / norm)
}

/** A vector close to another one, with a `share` of noise. */
export function near(vector: Float32Array, share: number, random: () => number): Float32Array {
  const noise = unit(Array.from(vector, () => random() - 0.5))
  return unit(vector.map((value, i) => value + share * noise[i]!))
}

/**
 * Unit vectors as an embedding network returns them: most of the energy is in a few directions that depend on `seed`,
 * and a residue is in all of them.
 */
export function createPopulation(seed: number, length: number, directions = Math.min(60, length)) {
  const random = randomNumbers(seed)
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const axes = Array.from({ length: directions }, () => unit(Array.from({ length }, gaussian)))
  return {
    random,
    draw(rest = 0.1): Float32Array {
      const vector = new Float64Array(length)
      for (const [k, axis] of axes.entries()) {
        const weight = gaussian() / (1 + k / 20)
        for (let i = 0; i < length; i++) vector[i]! += weight * axis[i]!
      }
      return near(unit(vector), rest, random)
    },
  }
}

/** The exact answer, which is the largest dot product in double precision. */
export function greatestDot(vectors: Iterable<readonly [string, Float32Array]>, query: Float32Array) {
  let best = { id: '', cosine: Number.NEGATIVE_INFINITY }
  for (const [id, vector] of vectors) {
    let cosine = 0
    for (let i = 0; i < vector.length; i++) cosine += vector[i]! * query[i]!
    if (cosine > best.cosine) best = { id, cosine }
  }
  return best
}
