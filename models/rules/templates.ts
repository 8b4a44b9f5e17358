import {
  type ComparedModel,
  type EmbeddingModel,
  embeddingLengths,
  pairOf,
  type SecondModel,
} from './embedding.ts'
import {
  discounted,
  discountShare,
  inCommon,
  likenessBy,
  noLikeness,
  type PoorLook,
  poorLookOf,
} from './quality/poor-look.ts'
import { cosine } from './similarity.ts'

type Numbers = ArrayLike<number>

/** A face's stored embeddings: the one used for searches, and a second one if there is a network for it. Both are unit vectors. */
export interface Templates {
  readonly first: Numbers
  readonly second?: Numbers | undefined
  /** From the former model. Only compared with faces that have no other embedding. */
  readonly former?: Numbers | undefined
}

/** The models that the embeddings come from. */
export interface TemplateModels {
  readonly embeddingModel: EmbeddingModel
  readonly secondModel?: SecondModel | undefined
  /** Present if some faces may only have an embedding from the former model. */
  readonly formerModel?: EmbeddingModel | undefined
}

/**
 * Joins both embeddings into one unit vector, or returns the first one if it is the only one. [Note: Two unit vectors side by side] Each is divided
 * by the square root of two, so the cosine of two joined vectors is the mean of the individual cosines, and code that handles one embedding can
 * handle two.
 */
export function joined({ first, second }: Templates): Float32Array {
  if (second === undefined) return Float32Array.from(first)
  const both = new Float32Array(first.length + second.length)
  for (let i = 0; i < first.length; i++) both[i] = first[i]! * Math.SQRT1_2
  for (let i = 0; i < second.length; i++) both[first.length + i] = second[i]! * Math.SQRT1_2
  return both
}

/** Splits the result of `joined`. The length shows whether there are two. */
export function separated(embedding: Numbers, { embeddingModel, secondModel }: TemplateModels): Templates {
  const length = embeddingLengths[embeddingModel]
  const numbers = Array.from(embedding)
  if (secondModel === undefined || numbers.length !== length + embeddingLengths[secondModel]) {
    return { first: numbers }
  }
  const whole = numbers.map((value) => value * Math.SQRT2)
  return { first: whole.slice(0, length), second: whole.slice(length) }
}

/** The looks of both embeddings. */
export interface TemplateLooks {
  readonly first: PoorLook
  readonly second: PoorLook | undefined
}

export function looksOf({ first, second }: Templates, models: TemplateModels): TemplateLooks {
  const { embeddingModel, secondModel } = models
  return {
    first: poorLookOf(first, embeddingModel),
    second: second && secondModel && poorLookOf(second, secondModel),
  }
}

/** `likenessBy` for the mean cosine of two embeddings, or for a single cosine. The first looks determine the discount. */
export function likenessByLooks(
  mean: number,
  a: TemplateLooks,
  b: TemplateLooks,
  { embeddingModel, secondModel }: TemplateModels,
): number {
  const first = likenessBy(mean, a.first, b.first, embeddingModel)
  const isPair = secondModel !== undefined && a.second !== undefined && b.second !== undefined
  if (first === noLikeness || !isPair) return first
  const taken = (one: TemplateLooks, other: TemplateLooks) =>
    (discountShare(one.first, other.first) *
      (inCommon(one.first, other.first) + inCommon(one.second!, other.second!))) /
    2
  return discounted(mean, taken(a, b), [taken(a, a), taken(b, b)], pairOf(secondModel))
}

/** The likeness of two faces, based on both embeddings if both faces have two, and otherwise on the first one alone. */
export interface Likeness {
  /** See `likenessBy`. For two embeddings, this is the mean. */
  readonly likeness: number
  readonly by: ComparedModel
}

export function likenessOf(a: Templates, b: Templates, models: TemplateModels): Likeness {
  const { embeddingModel, secondModel } = models
  const isPair = secondModel !== undefined && a.second !== undefined && b.second !== undefined
  const first = cosine(a.first, b.first)
  const mean = isPair ? (first + cosine(a.second, b.second)) / 2 : first
  const likeness = likenessByLooks(mean, looksOf(a, models), looksOf(b, models), models)
  return { likeness, by: isPair ? pairOf(secondModel) : embeddingModel }
}
