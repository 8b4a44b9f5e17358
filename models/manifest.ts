import manifest from './manifest.json' with { type: 'json' }
import type { ModelName } from './networks/session.ts'

export interface Model {
  readonly file: string
  /** Lower-case hex. */
  readonly sha256: string
  readonly bytes: number
}

/** What the manifest says of a network. */
export function modelOf(name: ModelName): Model {
  return manifest.models[name]
}
