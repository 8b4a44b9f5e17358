import { randomNumbers } from '../../../shared/random-numbers.ts'
import type { Samples } from './samples.ts'

/** An unlimited supply of synthetic people. */
export interface Population {
  /** How many numbers an embedding has. */
  readonly length: number
  /** Writes a new person's unit embedding to `into`, starting at `at`. */
  draw(into: Float32Array, at?: number): void
}

/** How many members a person has from each of their circles, the number of circles, and the number of other members. */
const [circleSize, circles, others] = [5, 2, 14] as const
const parts = circleSize * circles + others

/**
 * [Note: A sum of real people] Each person is the sum of 24 real pictures, each taken as its difference from the
 * mean, scaled to the length of one. That keeps the covariance of real faces and, because every part counts equally
 * and none is negated, also the skew that makes strangers similar more often than a normal distribution would. Two of
 * 24 parts in common are hardly noticeable, so ten of them come from two circles of five, which gives one face in a
 * hundred relatives. Counts and sizes were chosen so that the most similar strangers of LFW, real with synthetic and
 * synthetic with synthetic, are as similar as real with real; `populationMatch` shows it. The same samples and seed
 * give the same people.
 */
export function createPopulation(samples: Samples, seed: number): Population {
  const { length, personCount } = samples
  const random = randomNumbers(seed)
  const below = (count: number) => Math.floor(random() * count)
  const pictures = picturesOf(samples)
  const people = shuffled(personCount, random)
  const circleCount = Math.floor(personCount / circleSize)
  const mean = meanPerson(samples, pictures)
  const sum = new Float32Array(length)

  function add(person: number): void {
    const own = pictures[people[person]!]!
    const start = own[below(own.length)]! * length
    for (let i = 0; i < length; i++) sum[i] = sum[i]! + samples.embeddings[start + i]! - mean[i]!
  }

  return {
    length,
    draw(into, at = 0) {
      sum.fill(0)
      for (let circle = 0; circle < circles; circle++) {
        const first = below(circleCount) * circleSize
        for (let member = 0; member < circleSize; member++) add(first + member)
      }
      for (let other = 0; other < others; other++) add(below(personCount))
      let squares = 0
      for (let i = 0; i < length; i++) {
        const value = mean[i]! + sum[i]! / Math.sqrt(parts)
        into[at + i] = value
        squares += value * value
      }
      const scale = 1 / Math.sqrt(squares)
      for (let i = 0; i < length; i++) into[at + i] = into[at + i]! * scale
    },
  }
}

/** The indices of each person's pictures. */
export function picturesOf({ count, persons, personCount }: Samples): number[][] {
  const pictures = Array.from({ length: personCount }, (): number[] => [])
  for (let i = 0; i < count; i++) pictures[persons[i]!]!.push(i)
  return pictures
}

/** The mean over all people, each represented by their first picture. */
function meanPerson({ length, embeddings }: Samples, pictures: readonly (readonly number[])[]): Float32Array {
  const mean = new Float32Array(length)
  for (const [first] of pictures)
    for (let i = 0; i < length; i++) mean[i] = mean[i]! + embeddings[first! * length + i]! / pictures.length
  return mean
}

/** The numbers 0 to count - 1 in random order (Fisher and Yates). */
export function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1))
    ;[order[i], order[other]] = [order[other]!, order[i]!]
  }
  return order
}
