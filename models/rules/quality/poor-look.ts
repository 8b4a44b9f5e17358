import weights from '../../weights/poor-look.json' with { type: 'json' }
import {
  type ComparedModel,
  type EmbeddingModel,
  embeddingLengths,
  type SecondModel,
  searchedModels,
} from '../embedding.ts'
import { calibratedScores } from '../similarity.ts'

type Numbers = ArrayLike<number>
type SingleModel = EmbeddingModel | SecondModel

/**
 * The models for which a poor look was learned. [Note: Nothing is taken off dlib's embeddings] Nearly all of their length
 * lies in one direction, for poor pictures or not; each discount that was tried removed the person along with the look.
 */
type LearnedModel = Exclude<SingleModel, 'dlib-face/2'>

/** The weights for one network: see the card of `poor-look`. */
interface LearnedLook {
  /** All integers below are divided by this. */
  readonly scale: number
  /** Orthonormal except for rounding errors, strongest first. */
  readonly directions: readonly (readonly number[])[]
  /** How much an embedding shows is a polynomial of its projections onto the directions. */
  readonly constant: number
  readonly linear: readonly number[]
  readonly squared: readonly number[]
  /** The weight of the root of the sum of squares. */
  readonly root: number
}

/** How much two faces' shown shares reduce a cosine. `npm run evaluate -- poor` shows the effect. */
interface Discount {
  /** The number of leading directions that poor pictures have in common. */
  readonly shared: number
  /** If the better face shows this share, nothing is subtracted. At `whole` and below, everything is. */
  readonly none: number
  readonly whole: number
  readonly strength: number
  /** A face that shows less than this is not compared. */
  readonly least: number
}

const discount: Discount = { shared: 14, none: 0.92, whole: 0.48, strength: 2, least: 0.3 }

/** The poor-picture look of an embedding, as far as it has one. */
export interface PoorLook {
  /** How much of the person the embedding shows: its estimated cosine with the same person's embedding in a clear picture, 0 to 1. */
  readonly shown: number
  /** Projections onto the directions that embeddings of poor pictures share regardless of the person. */
  readonly along: Float64Array
}

/** The likeness of any face to one that shows too little of a person to be compared. */
export const noLikeness = -1

interface PreparedLook extends Omit<LearnedLook, 'scale' | 'directions'> {
  readonly directions: readonly Float64Array[]
}

const prepared = new Map<LearnedModel, PreparedLook>()

function learnedOf(model: LearnedModel): PreparedLook {
  const known = prepared.get(model)
  if (known !== undefined) return known
  const { scale, directions, ...rest } = (weights as Readonly<Record<LearnedModel, LearnedLook>>)[model]
  const divided = (row: readonly number[]) => row.map((value) => value / scale)
  const made = {
    directions: directions.map((row) => Float64Array.from(divided(row))),
    constant: rest.constant / scale,
    linear: divided(rest.linear),
    squared: divided(rest.squared),
    root: rest.root / scale,
  }
  prepared.set(model, made)
  return made
}

const unknownLook: PoorLook = { shown: 1, along: new Float64Array() }

/** The look of a model's unit vector. If none was learned for this model, it counts as clear. */
export function poorLookOf(embedding: Numbers, model: SingleModel): PoorLook {
  if (model === 'dlib-face/2') return unknownLook
  const { directions, constant, linear, squared, root } = learnedOf(model)
  const along = new Float64Array(directions.length)
  let [shown, squares] = [constant, 0]
  for (const [k, direction] of directions.entries()) {
    let place = 0
    for (let i = 0; i < direction.length; i++) place += embedding[i]! * direction[i]!
    along[k] = place
    squares += place * place
    shown += linear[k]! * place + squared[k]! * place * place
  }
  shown += root * Math.sqrt(squares)
  return { shown: Math.max(0, Math.min(1, shown)), along }
}

/** True if a face shows enough of a person to be compared. Otherwise, it does not match any face. */
export function isShown({ shown }: PoorLook): boolean {
  return shown >= discount.least
}

/** The same for an embedding of the model with this length. False for any other length. */
export function isComparable(embedding: Numbers): boolean {
  const model = searchedModels.find((one) => embeddingLengths[one] === embedding.length)
  return model !== undefined && isShown(poorLookOf(embedding, model))
}

/**
 * The likeness of two faces: their cosine, minus the part that two poor pictures have in common. Never above the cosine,
 * so an index may skip faces by their cosine.
 *
 * [Note: Two poor pictures are not one person] Networks map pictures that show little to embeddings in the same few
 * directions, so dark, blurred or covered pictures of strangers had high cosines. That part counts less if the better
 * face of the two shows less. If one is clear, nothing is subtracted, since a poor picture of a stranger is not like a
 * clear one. Embeddings are stored and returned as the networks make them.
 */
export function likenessBy(cosine: number, a: PoorLook, b: PoorLook, model: EmbeddingModel): number {
  if (!isShown(a) || !isShown(b)) return noLikeness
  const taken = (one: PoorLook, other: PoorLook) => discountShare(one, other) * inCommon(one, other)
  return discounted(cosine, taken(a, b), [taken(a, a), taken(b, b)], model)
}

/**
 * A cosine minus a discount; `ofItself` is the discount of each face's cosine of 1 with itself.
 * [Note: The same picture reaches 100] Beyond the last calibrated point the scale is stretched so that it ends where a
 * face is compared with itself.
 */
export function discounted(
  cosine: number,
  taken: number,
  ofItself: readonly [number, number],
  model: ComparedModel,
): number {
  const likeness = cosine - taken
  const { cosine: last } = calibratedScores(model).at(-1)!
  const own = 1 - (ofItself[0] + ofItself[1]) / 2
  if (taken === 0 || likeness <= last || own <= last) return likeness
  return Math.min(cosine, last + ((likeness - last) * (1 - last)) / (own - last))
}

/** How much of the two looks' common part is subtracted, 0 to `strength`. */
export function discountShare(a: PoorLook, b: PoorLook): number {
  const { none, whole, strength } = discount
  const share = (none - Math.max(a.shown, b.shown)) / (none - whole)
  return strength * Math.max(0, Math.min(1, share))
}

/** The part of the cosine that lies in the directions of poor pictures, or 0 if it counts against a match. */
export function inCommon(a: PoorLook, b: PoorLook): number {
  let sum = 0
  for (let k = 0; k < Math.min(discount.shared, a.along.length); k++) sum += a.along[k]! * b.along[k]!
  return Math.max(0, sum)
}

/** Converts a stored vector's cosine with the query to their likeness. */
export type LikenessTo = (cosine: number, vector: Numbers) => number

/** For searches: computes the query's look once, and another face's look only if needed. */
export function likenessTo(sought: Numbers, model: EmbeddingModel): LikenessTo {
  let own: PoorLook | undefined
  return (cosine, vector) => {
    own ??= poorLookOf(sought, model)
    return likenessBy(cosine, own, poorLookOf(vector, model), model)
  }
}
