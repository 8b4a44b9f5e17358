import poorLook from '../weights/poor-look.json' with { type: 'json' }
import { type EmbeddingModel, embeddingLengths, type SecondModel, searchedModels } from './embedding.ts'

type Numbers = ArrayLike<number>
type SingleModel = EmbeddingModel | SecondModel

/** What poor pictures have in common to a network. */
interface PoorLook {
  /** What its directions are multiplied with, to be whole numbers. */
  readonly scale: number
  /** Orthonormal but for rounding, the strongest first. */
  readonly directions: readonly (readonly number[])[]
  /** The square of the length of the rest of a usual clear picture: its likeness to itself is 1. */
  readonly clearShare: number
  /** A face with a smaller share of that shows too little of a person. */
  readonly leastShare: number
}

const looks: Readonly<Record<SingleModel, PoorLook>> = poorLook

/**
 * What an embedding shows of a person: without the directions in which poor pictures are alike, whoever they show. The dot product of two
 * such parts is the likeness of two faces; it may exceed 1 a little for two pictures that are one.
 *
 * [Note: Two poor pictures are not one person] Networks answer a picture that shows nothing with nearly the same embedding, so that dark,
 * blurred or noisy pictures of strangers were alike. The rest is not scaled to length 1 again: of a poor picture little is left, and little
 * can be alike. Embeddings are stored and answered as the networks make them, and their person parts are compared. The map is a projection:
 * applied to one of two embeddings it does as much as applied to both, so a search maps what is sought alone.
 */
export function personPart(embedding: Numbers, model: SingleModel): Float64Array {
  const { clearShare } = looks[model]
  const rest = Float64Array.from(embedding)
  for (const direction of poorDirections(model).directions) {
    const along = product(embedding, direction)
    for (let i = 0; i < rest.length; i++) rest[i] = rest[i]! - along * direction[i]!
  }
  const scale = 1 / Math.sqrt(clearShare)
  return rest.map((value) => value * scale)
}

/** What a search takes for an embedding: its dot product with another embedding, as that was stored, is their likeness. */
export function sought(embedding: Numbers, model: SingleModel): Float32Array {
  const scale = 1 / Math.sqrt(looks[model].clearShare)
  return Float32Array.from(personPart(embedding, model), (value) => value * scale)
}

/** How alike a face is to itself, by what a search takes for it. */
export function ownLikeness(asSought: Numbers, model: SingleModel): number {
  return product(asSought, asSought) * looks[model].clearShare
}

/** How alike two faces are by their embeddings of one model, from about -1 to 1; strangers are near 0. */
export function likenessBy(a: Numbers, b: Numbers, model: SingleModel): number {
  return product(personPart(a, model), b) / Math.sqrt(looks[model].clearShare)
}

/**
 * Whether a face shows enough of a person to be compared. What does not is nobody: it would match no other picture of the person, and what
 * it matched would be chance.
 */
export function showsPerson(embedding: Numbers, model: SingleModel): boolean {
  if (embedding.length !== embeddingLengths[model]) return false
  const { directions, leastRest } = poorDirections(model)
  let rest = product(embedding, embedding)
  for (const direction of directions) rest -= product(embedding, direction) ** 2
  return rest >= leastRest
}

/** The same of an embedding of the model that makes embeddings of its length. */
export function isComparable(embedding: Numbers): boolean {
  return searchedModels.some((model) => showsPerson(embedding, model))
}

interface PoorDirections {
  readonly directions: readonly Float32Array[]
  /** What the square of the rest of a unit vector must reach for it to show a person. */
  readonly leastRest: number
}

const decoded = new Map<SingleModel, PoorDirections>()

/** The directions in which poor pictures are alike to a model. Orthonormal. */
export function poorDirections(model: SingleModel): PoorDirections {
  const known = decoded.get(model)
  if (known !== undefined) return known
  const { scale, directions: rounded, clearShare, leastShare } = looks[model]
  const directions = rounded.map((row) => Float32Array.from(row, (value) => value / scale))
  const made = { directions, leastRest: leastShare * clearShare }
  decoded.set(model, made)
  return made
}

function product(a: Numbers, b: Numbers): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
