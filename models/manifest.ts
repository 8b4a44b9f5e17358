import manifest from './manifest.json' with { type: 'json' }
import type { ModelName } from './session.ts'

/** Changes whenever the same picture may give another answer. */
export const pipelineVersion: string = manifest.pipelineVersion

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
