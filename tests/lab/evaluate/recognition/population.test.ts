import '../../../long-alone.ts'
import { describe, expect, test } from 'vitest'
import { inventedPeople } from '#lab/bench/search/invented-people.ts'
import { createPopulation } from '#lab/evaluate/recognition/population.ts'
import { populationMatch } from '#lab/evaluate/recognition/population-match.ts'
import { packSamples } from '#lab/evaluate/recognition/samples.ts'
import { eigenvalues } from '#lab/statistics/eigenvalues.ts'
import { cosine } from '#models/rules/similarity.ts'

const faces = inventedPeople(3).slice(0, 900)
const samples = packSamples(
  faces.map(({ embedding }) => embedding),
  faces.map(({ person }) => person),
)
const { length } = samples

function drawn(count: number, seed = 1): Float32Array[] {
  const population = createPopulation(samples, seed)
  return Array.from({ length: count }, () => {
    const face = new Float32Array(length)
    population.draw(face)
    return face
  })
}

describe('synthetic people', () => {
  test('have embeddings of length 1, and are the same for the same seed', () => {
    const people = drawn(20)
    for (const face of people) expect(cosine(face, face)).toBeCloseTo(1, 5)
    expect(drawn(20)).toEqual(people)
    expect(drawn(20, 2)).not.toEqual(people)
  })

  test('are written at the requested place, and nowhere else', () => {
    const both = new Float32Array(3 * length)
    createPopulation(samples, 1).draw(both, length)
    expect(both.subarray(length, 2 * length)).toEqual(drawn(1)[0])
    expect(both.subarray(0, length)).toEqual(new Float32Array(length))
    expect(both.subarray(2 * length)).toEqual(new Float32Array(length))
  })

  test('match no person of the samples', () => {
    for (const face of drawn(50))
      for (const { embedding } of faces) expect(cosine(face, embedding)).toBeLessThan(0.7)
  })

  test('have relatives among each other: more of them are similar than at random', () => {
    const people = drawn(1000)
    let relatives = 0
    for (const [i, one] of people.entries())
      for (const other of people.slice(0, i)) if (cosine(one, other) > 0.4) relatives++
    // 16 if there are no circles.
    expect(relatives).toBeGreaterThan(150)
  })

  test('spread over the same number of directions as the samples, and are equally strange to them and to each other', () => {
    const [pairs, spectrum] = populationMatch(samples, 1)
    const [real, mixed, synthetic] = pairs!.rows.map((row) => row.slice(1).map(Number))
    for (const [i, share] of [...mixed!.slice(0, 2), ...synthetic!.slice(0, 2)].entries()) {
      // If there are few people, each is part of many others, which makes the others more similar.
      expect(share / real![i % 2]!).toBeGreaterThan(0.95)
      expect(share / real![i % 2]!).toBeLessThan(1.35)
    }
    const [directions, ofSynthetic] = spectrum!.rows.map((row) => Number(row[1]))
    expect(ofSynthetic! / directions!).toBeGreaterThan(0.7)
    expect(ofSynthetic! / directions!).toBeLessThan(1.1)
  })
})

describe('eigenvalues', () => {
  test('are those of a known matrix, descending', () => {
    // The second difference for 6 points: 2 - 2 cos(k pi / 7).
    const matrix = Float64Array.from({ length: 36 }, (_, at) => {
      const distance = Math.abs((at % 6) - Math.floor(at / 6))
      return distance === 0 ? 2 : distance === 1 ? -1 : 0
    })
    const expected = Array.from({ length: 6 }, (_, k) => 2 - 2 * Math.cos(((6 - k) * Math.PI) / 7))
    expect([...eigenvalues(matrix, 6)]).toEqual(expected.map((value) => expect.closeTo(value, 9)))
  })

  test('of a full matrix are correct', () => {
    // u u' + 3 v v' with u = (1, 1, 1, 1) and v = (1, -1, 1, -1): 12, 4, 0 and 0.
    const [u, v] = [
      [1, 1, 1, 1],
      [1, -1, 1, -1],
    ]
    const matrix = Float64Array.from({ length: 16 }, (_, at) => {
      const [i, j] = [Math.floor(at / 4), at % 4]
      return u![i]! * u![j]! + 3 * v![i]! * v![j]!
    })
    expect([...eigenvalues(matrix, 4)]).toEqual([12, 4, 0, 0].map((value) => expect.closeTo(value, 9)))
  })
})
