import '../../../long-alone.ts'
import { expect, test } from 'vitest'
import { Figures } from '#lab/evaluate/figures.ts'
import { compareAll } from '#lab/evaluate/recognition/all-pairs.ts'
import { addPairedGain } from '#lab/evaluate/recognition/paired-gain.ts'
import { packSamples } from '#lab/evaluate/recognition/samples.ts'
import { toUnit } from '#models/rules/embedding.ts'
import { comparedBy, packs } from '#models/rules/packs.ts'
import { joined } from '#models/rules/templates.ts'
import { randomNumbers } from '#shared/random-numbers.ts'
import { randomEmbedding } from '../../../support/drawn/random-face.ts'

const people = 200
const random = randomNumbers(5)

/** An embedding close to its person's. More noise makes it less similar. */
function seen(person: number, length: number, noise: number): Float32Array {
  const own = randomEmbedding(person + length, length)
  const other = randomEmbedding(1e6 * random(), length)
  return toUnit(own.map((value, i) => value + noise * other[i]!))
}

/** Two pictures per person, seen by a noisy first network and by a second one. */
function samplesWith(noise: { first: number; second: number }) {
  const persons = Array.from({ length: 2 * people }, (_, i) => i >> 1)
  const embeddings = persons.map((person) =>
    joined({ first: seen(person, 512, noise.first), second: seen(person, 128, noise.second) }),
  )
  return packSamples(embeddings, persons.map(String), comparedBy(packs.extended))
}

function gainOf(noise: { first: number; second: number }, pack = packs.extended) {
  const figures = new Figures()
  addPairedGain(figures, compareAll(samplesWith(noise), { listed: 1 }), pack)
  return figures
}

test('a second embedding with more information is a gain above zero, with its interval', () => {
  const gain = gainOf({ first: 2.4, second: 0.8 }).get('pairedTarGainAtFmr1e-4')!
  expect(gain.value).toBeGreaterThan(0.1)
  expect(gain.low!).toBeGreaterThan(0)
  expect(gain.high!).toBeGreaterThan(gain.value)
})

test('one without information is a loss', () => {
  const gain = gainOf({ first: 1.8, second: 40 }).get('pairedTarGainAtFmr1e-4')!
  expect(gain.high!).toBeLessThan(0)
})

test('a rate for which hardly a pair could be expected is left out, and so is a pack with one embedding', () => {
  expect(gainOf({ first: 1, second: 1 }).get('pairedTarGainAtFmr1e-5')).toBeUndefined()
  expect(gainOf({ first: 1, second: 1 }, packs.standard).all).toEqual([])
})
