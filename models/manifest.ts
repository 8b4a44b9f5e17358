import manifest from './manifest.json' with { type: 'json' }
import type { ModelName } from './networks/session.ts'
import { installedNetwork } from './rules/pack-recipe.ts'

export interface Model {
  readonly file: string
  /** Lower-case hex. */
  readonly sha256: string
  readonly bytes: number
}

/** What the manifest says of a network that ships, or the recipe of one that is installed. */
export function modelOf(name: ModelName): Model {
  return installedNetwork(name)?.recipe ?? manifest.models[name as keyof typeof manifest.models]
}
