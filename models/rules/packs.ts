import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { Wanted } from './analysis.ts'

export const packNames = ['standard', 'conservative'] as const
export type PackName = (typeof packNames)[number]

/** What some networks are needed for, beside finding a face and recognising it: every pack can do those two. */
export type Ability = 'liveness' | 'demographic' | 'expression' | 'eyes'

/** A choice of networks by where their weights come from. */
export interface Pack {
  readonly name: PackName
  readonly embeddingModel: EmbeddingModel
  readonly abilities: readonly Ability[]
}

/**
 * [Note: Two packs] `standard` measures best. `conservative` holds only weights whose origin is written down: MediaPipe's
 * detectors and mesh, and dlib's embedding, which its author gave away. What has no such weights is not done at all.
 */
export const packs: Readonly<Record<PackName, Pack>> = {
  standard: {
    name: 'standard',
    embeddingModel: 'fr-feature/2',
    abilities: ['liveness', 'demographic', 'expression', 'eyes'],
  },
  conservative: { name: 'conservative', embeddingModel: 'dlib-face/2', abilities: [] },
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
