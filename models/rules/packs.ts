import { type ComparedModel, type EmbeddingModel, pairOf, type SecondModel } from '#models/rules/embedding.ts'
import type { AnalysisStages } from './analysis.ts'

export const packNames = ['standard', 'conservative', 'extended'] as const
export type PackName = (typeof packNames)[number]

/** Optional abilities. Every pack can detect and recognise faces. */
export type Ability = 'liveness' | 'demographic' | 'expression' | 'eyes'

/** A selection of networks based on where their weights come from. */
export interface Pack {
  readonly name: PackName
  /** The embedding used for searches. */
  readonly embeddingModel: EmbeddingModel
  /** The embedding that is combined with it to compare two faces. Absent if there is only one. */
  readonly secondModel?: SecondModel
  /** An additional embedding, from the previous pack, for collections that were created with it. */
  readonly formerModel?: EmbeddingModel
  /** Detects small faces with the network for upright faces, whose training data is unknown. Otherwise, MediaPipe's detector runs on tiles. */
  readonly detectsUpright?: boolean
  /** True if a second network contributes to the liveness score. */
  readonly secondLiveness?: boolean
  readonly abilities: readonly Ability[]
}

/**
 * [Note: Two packs ship] `standard` is the most accurate of those that ship. `conservative` contains only weights of
 * documented origin: MediaPipe's detectors and mesh, and dlib's embedding, which its author released to the public
 * domain. It omits features without such weights. `extended` is `standard` plus two networks that an operator installs:
 * see pack-recipe.ts.
 *
 * [Note: The page keeps the standard networks] A pack applies to the server. Results of the page are hints, and the
 * verdict rests on the server's own analysis alone.
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
 * Extends a pack so that it also creates the previous pack's embeddings. [Note: Two embedding models while people return]
 * @throws {RangeError} if both search with the same embeddings, so that there is nothing to keep
 */
export function withFormer(pack: Pack, former: PackName): Pack {
  const formerModel = packs[former].embeddingModel
  if (formerModel === pack.embeddingModel) {
    throw new RangeError(`The ${pack.name} pack searches by the same embeddings as the ${former} pack.`)
  }
  return { ...pack, formerModel }
}

/** The model or pair that a pack uses to compare two faces. */
export function comparedBy({ embeddingModel, secondModel }: Pack): ComparedModel {
  return secondModel === undefined ? embeddingModel : pairOf(secondModel)
}

export function can({ abilities }: Pack, ability: Ability): boolean {
  return abilities.includes(ability)
}

/** Those of the requested stages for which the pack has networks. */
export function within(pack: Pack, wanted: AnalysisStages): AnalysisStages {
  const { liveness, demographic, expression, eyes, ...always } = wanted
  return {
    ...always,
    ...(liveness && can(pack, 'liveness') && { liveness }),
    ...(demographic && can(pack, 'demographic') && { demographic }),
    ...(expression && can(pack, 'expression') && { expression }),
    ...(eyes && can(pack, 'eyes') && { eyes }),
  }
}
