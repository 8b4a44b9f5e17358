import { type Population, picturesOf, shuffled } from '#lab/evaluate/recognition/population.ts'
import type { Samples } from '#lab/evaluate/recognition/samples.ts'
import { showProgress } from '#lab/progress.ts'
import { dot } from '#lab/statistics/dot.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'
import { openNearestOfBlock } from './nearest-of-block.ts'

/** The number of faces that are compared at once. */
const most = 1000

/** For each of the sizes (in ascending order), how similar each picture is to the nearest of that many people from a population. */
export async function nearestSynthetic(
  samples: Samples,
  population: Population,
  sizes: readonly number[],
): Promise<Float32Array[]> {
  const { count, length } = samples
  const nearestOf = await openNearestOfBlock(samples)
  const nearest = new Float32Array(count).fill(-1)
  const answers: Float32Array[] = []
  const largest = sizes.at(-1) ?? 0
  const progress = showProgress('identification', largest)
  for (const [i, size] of sizes.entries()) {
    for (let drawn = sizes[i - 1] ?? 0; drawn < size; ) {
      const block = Math.min(most, size - drawn)
      const faces = new Float32Array(block * length)
      for (let face = 0; face < block; face++) population.draw(faces, face * length)
      const cosines = await nearestOf(faces)
      for (let picture = 0; picture < count; picture++)
        nearest[picture] = Math.max(nearest[picture]!, cosines[picture]!)
      drawn += block
      for (let face = 0; face < block; face++) progress.step()
    }
    answers.push(nearest.slice())
  }
  progress.end()
  return answers
}

/** How similar each picture is to the nearest of `size` other people in the samples, who are enrolled with their first picture. */
export function nearestReal(samples: Samples, size: number): Float32Array {
  const { count, length, embeddings, persons, personCount } = samples
  const pictures = picturesOf(samples)
  const order = shuffled(personCount, randomNumbers(personCount))
  return Float32Array.from({ length: count }, (_, i) => {
    const others = order.filter((person) => person !== persons[i]).slice(0, size)
    return others.reduce((best, person) => {
      const cosine = dot(embeddings, i * length, embeddings, pictures[person]![0]! * length, length)
      return Math.max(best, cosine)
    }, -1)
  })
}

/** How similar each picture is to its person's first picture. NaN for the first pictures themselves, which are enrolled. */
export function likenessToOwn(samples: Samples): Float32Array {
  const { length, embeddings } = samples
  const own = new Float32Array(samples.count).fill(Number.NaN)
  for (const [first, ...more] of picturesOf(samples))
    for (const i of more) own[i] = dot(embeddings, i * length, embeddings, first! * length, length)
  return own
}
