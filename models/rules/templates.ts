import {
  type ComparedModel,
  type EmbeddingModel,
  embeddingLengths,
  pairOf,
  type SecondModel,
} from './embedding.ts'
import { likenessBy, personPart, showsPerson } from './person-part.ts'
import { cosineOf, stretched } from './similarity.ts'

type Numbers = ArrayLike<number>

/** What is kept of a face: the embedding that is searched by, and a second one where there is a network for it. Unit vectors. */
export interface Templates {
  readonly first: Numbers
  readonly second?: Numbers | undefined
  /** Of the model that was in use before: it is sought among faces that have no other, and never compared with the rest. */
  readonly former?: Numbers | undefined
}

/** The models of them. */
export interface TemplateModels {
  readonly embeddingModel: EmbeddingModel
  readonly secondModel?: SecondModel | undefined
  /** Given where faces may have an embedding of the former model alone. */
  readonly formerModel?: EmbeddingModel | undefined
}

/**
 * Both embeddings as one unit vector, or the first if there is no other. [Note: Two unit vectors side by side] Each is
 * divided by the root of two, so that code which handles one embedding handles two.
 */
export function joined({ first, second }: Templates): Float32Array {
  if (second === undefined) return Float32Array.from(first)
  const both = new Float32Array(first.length + second.length)
  for (let i = 0; i < first.length; i++) both[i] = first[i]! * Math.SQRT1_2
  for (let i = 0; i < second.length; i++) both[first.length + i] = second[i]! * Math.SQRT1_2
  return both
}

/** What `joined` joined: its length tells whether there are two. */
export function separated(embedding: Numbers, { embeddingModel, secondModel }: TemplateModels): Templates {
  const length = embeddingLengths[embeddingModel]
  const numbers = Array.from(embedding)
  if (secondModel === undefined || numbers.length !== length + embeddingLengths[secondModel]) {
    return { first: numbers }
  }
  const whole = numbers.map((value) => value * Math.SQRT2)
  return { first: whole.slice(0, length), second: whole.slice(length) }
}

/**
 * Both person parts side by side, as `joined` puts embeddings: the dot product of two such vectors is the likeness of the faces. All 0 for
 * a face that shows too little to be compared.
 */
export function comparedVector({ first, second }: Templates, models: TemplateModels): Float32Array {
  const { embeddingModel, secondModel } = models
  if (!showsPerson(first, embeddingModel)) return joined({ first, second }).fill(0)
  const other = second && secondModel && personPart(second, secondModel)
  return joined({ first: personPart(first, embeddingModel), second: other })
}

/** How alike two faces are, and by what: both embeddings if both faces have both, else the first alone. */
export interface Likeness {
  /** See `likenessBy`; that of a score of 0 if one of the faces shows too little to be compared. */
  readonly likeness: number
  readonly by: ComparedModel
}

export function likenessOf(a: Templates, b: Templates, models: TemplateModels): Likeness {
  const { embeddingModel, secondModel } = models
  const isPair = secondModel !== undefined && a.second !== undefined && b.second !== undefined
  const by = isPair ? pairOf(secondModel) : embeddingModel
  if (![a, b].every(({ first }) => showsPerson(first, embeddingModel)))
    return { likeness: cosineOf(0, by), by }
  const between = (one: Templates, other: Templates) => {
    const first = likenessBy(one.first, other.first, embeddingModel)
    return isPair ? (first + likenessBy(one.second!, other.second!, secondModel)) / 2 : first
  }
  const own = Math.sqrt(between(a, a) * between(b, b))
  return { likeness: stretched(between(a, b), own, by), by }
}
