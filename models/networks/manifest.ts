import { installedNetwork } from '#models/rules/pack-recipe.ts'
import manifest from '../weights/manifest.json' with { type: 'json' }
import type { ModelName } from './session.ts'

export interface Model {
  readonly file: string
  /** Lower-case hex. */
  readonly sha256: string
  readonly bytes: number
}

/** The manifest entry of a shipped network, or the recipe of an installed one. */
export function modelOf(name: ModelName): Model {
  return installedNetwork(name)?.recipe ?? manifest.models[name as keyof typeof manifest.models]
}
