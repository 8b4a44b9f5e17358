import { type ComparedModel, embeddingModel } from '../../../models/rules/embedding.ts'
import { comparedBy, packs } from '../../../models/rules/packs.ts'
import { likenessByLooks, looksOf, separated } from '../../../models/rules/templates.ts'

/** Faces to compare: consecutive unit embeddings, and the person of each one. */
export interface Samples {
  readonly count: number
  /** The embeddings' model, which determines what a score means. */
  readonly model: ComparedModel
  /** How many numbers an embedding has. */
  readonly length: number
  /** count * length numbers. */
  readonly embeddings: Float32Array
  /** The person of each sample, from 0 to personCount - 1. */
  readonly persons: Int32Array
  readonly personCount: number
  /** How similar the product considers two samples with this cosine. */
  readonly likenessOf: (a: number, b: number, cosine: number) => number
}

/** Packs embeddings of the same length. `persons` contains an arbitrary name for each one's person. */
export function packSamples(
  embeddings: readonly ArrayLike<number>[],
  persons: readonly string[],
  model: ComparedModel = embeddingModel,
): Samples {
  const length = embeddings[0]?.length ?? 0
  const packed = new Float32Array(embeddings.length * length)
  for (let i = 0; i < embeddings.length; i++) packed.set(embeddings[i]!, i * length)
  const numbers = new Map<string, number>()
  for (const person of persons) if (!numbers.has(person)) numbers.set(person, numbers.size)
  return {
    count: embeddings.length,
    model,
    length,
    embeddings: packed,
    persons: Int32Array.from(persons, (person) => numbers.get(person)!),
    personCount: numbers.size,
    likenessOf: likenessIn(embeddings, model),
  }
}

function likenessIn(embeddings: readonly ArrayLike<number>[], model: ComparedModel): Samples['likenessOf'] {
  const pack = Object.values(packs).find((one) => comparedBy(one) === model)!
  const looks = embeddings.map((embedding) => looksOf(separated(embedding, pack), pack))
  return (a, b, cosine) => likenessByLooks(cosine, looks[a]!, looks[b]!, pack)
}
