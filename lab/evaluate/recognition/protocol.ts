import type { Pair } from '#lab/evaluate/data-set.ts'
import type { Figures } from '#lab/evaluate/figures.ts'
import { cosine } from '../../../models/rules/similarity.ts'
import { foldAccuracy } from './fold-accuracy.ts'
import { widened } from './pair-figures.ts'
import { personBootstrap } from './person-bootstrap.ts'

/** If one of the pictures has no face, the pair counts as two different people. */
const withoutFace = -1

interface SeenPerson {
  readonly person: string
  readonly embedding: Float32Array | undefined
}

/** The accuracy and its deviation over the folds of the set's own pairs, with an interval by person. */
export function addProtocol(
  figures: Figures,
  pairs: readonly Pair[],
  pictures: ReadonlyMap<string, SeenPerson>,
): void {
  const known = pairs.filter(({ a, b }) => pictures.has(a) && pictures.has(b))
  const compared = known.map(({ fold, a, b, same }) => ({ fold, same, cosine: cosineOfPair(pictures, a, b) }))
  const found = foldAccuracy(compared)
  if (found === undefined) return
  const people = new Map(
    [...new Set([...pictures.values()].map(({ person }) => person))].map((one, i) => [one, i]),
  )
  const numberOf = (file: string) => people.get(pictures.get(file)!.person)!
  const numbered = known.map(({ a, b }) => [numberOf(a), numberOf(b)] as const)
  const bounds = personBootstrap(people.size, (drawn) => ({
    accuracy: weightedAccuracy(numbered, found.right, drawn),
  }))
  figures.add(
    'accuracy',
    found.accuracy,
    known.length,
    widened(bounds.accuracy, found.accuracy, known.length),
  )
  figures.add('accuracySd', found.deviation, known.length)
}

function cosineOfPair(pictures: ReadonlyMap<string, SeenPerson>, a: string, b: string): number {
  const [one, other] = [pictures.get(a)?.embedding, pictures.get(b)?.embedding]
  return one && other ? cosine(one, other) : withoutFace
}

/** The share of correct decisions, weighted by how often their people were drawn. */
function weightedAccuracy(
  pairs: readonly (readonly [number, number])[],
  right: readonly boolean[],
  drawn: Float64Array,
): number {
  let [hits, total] = [0, 0]
  for (const [i, [a, b]] of pairs.entries()) {
    const weight = a === b ? drawn[a]! : drawn[a]! * drawn[b]!
    total += weight
    if (right[i]) hits += weight
  }
  return hits / total
}
