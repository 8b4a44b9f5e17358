import { type ComparedModel, type EmbeddingModel, pairOf, type SecondModel } from '#models/rules/embedding.ts'
import type { Wanted } from './analysis.ts'

export const packNames = ['standard', 'conservative', 'extended'] as const
export type PackName = (typeof packNames)[number]

/** What some networks are needed for, besides finding a face and recognising it: every pack can do those two. */
export type Ability = 'liveness' | 'demographic' | 'expression' | 'eyes'

/** A choice of networks by where their weights come from. */
export interface Pack {
  readonly name: PackName
  /** Of the embedding that is searched by. */
  readonly embeddingModel: EmbeddingModel
  /** Of the embedding that joins it where two faces are compared; absent where one has to do. */
  readonly secondModel?: SecondModel
  /** Of one embedding more: that of the pack before, for collections that were made with it. */
  readonly formerModel?: EmbeddingModel
  /** Finds small faces with the network for upright faces, whose training data is unknown; otherwise with MediaPipe's in tiles. */
  readonly detectsUpright?: boolean
  /** Whether a second network looks at how live a face is. */
  readonly secondLiveness?: boolean
  readonly abilities: readonly Ability[]
}

/**
 * [Note: Two packs ship] `standard` measures best of what ships. `conservative` holds only weights whose origin is written
 * down: MediaPipe's detectors and mesh, and dlib's embedding, which its author gave away. What has no such weights is not
 * done at all. `extended` is `standard` and two networks that an operator installs: see pack-recipe.ts.
 *
 * [Note: The page keeps the standard networks] A pack is the server's: what the page computes is a hint, and the verdict rests on
 * the server's own analysis alone.
 */
export const packs: Readonly<Record<PackName, Pack>> = {
  standard: {
    name: 'standard',
    embeddingModel: 'fr-feature/2',
    detectsUpright: true,
    abilities: ['liveness', 'demographic', 'expression', 'eyes'],
  },
  conservative: { name: 'conservative', embeddingModel: 'dlib-face/2', abilities: [] },
  extended: {
    name: 'extended',
    embeddingModel: 'fr-feature/2',
    secondModel: 'foamliu-face/1',
    detectsUpright: true,
    secondLiveness: true,
    abilities: ['liveness', 'demographic', 'expression', 'eyes'],
  },
}

/**
 * A pack that also makes the embeddings of the pack before it. [Note: Two embedding models while people return]
 * @throws {RangeError} where both search by the same embeddings: then nothing has to be kept
 */
export function withFormer(pack: Pack, former: PackName): Pack {
  const formerModel = packs[former].embeddingModel
  if (formerModel === pack.embeddingModel) {
    throw new RangeError(`The ${pack.name} pack searches by the same embeddings as the ${former} pack.`)
  }
  return { ...pack, formerModel }
}

/** What two faces of a pack are compared by. */
export function comparedBy({ embeddingModel, secondModel }: Pack): ComparedModel {
  return secondModel === undefined ? embeddingModel : pairOf(secondModel)
}

export function can({ abilities }: Pack, ability: Ability): boolean {
  return abilities.includes(ability)
}

/** What of all that is wanted a pack has networks for. */
export function within(pack: Pack, wanted: Wanted): Wanted {
  const { liveness, demographic, expression, eyes, ...always } = wanted
  return {
    ...always,
    ...(liveness && can(pack, 'liveness') && { liveness }),
    ...(demographic && can(pack, 'demographic') && { demographic }),
    ...(expression && can(pack, 'expression') && { expression }),
    ...(eyes && can(pack, 'eyes') && { eyes }),
  }
}
