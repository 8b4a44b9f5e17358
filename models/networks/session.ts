import type { Tensor } from '#models/picture/tensor.ts'
import type { InstalledModelName } from '#models/rules/pack-recipe.ts'

/** The port for an ONNX runtime. `models/` does not import one itself. */
export interface Session {
  /**
   * Runs the network once. In all networks that ship, the input is named `input`. Outputs are named as in the manifest, or as the publisher of an
   * installed network named them.
   */
  run(input: Tensor): Promise<Readonly<Record<string, Tensor>>>
}

/** Opens a network by its manifest name. Calling it again with the same name may return the same session. */
export type OpenSession = (name: ModelName) => Promise<Session>

export type ModelName = PageModelName | ServerModelName | InstalledModelName

export type PageModelName =
  | 'blazeface-short'
  | 'facemesh'
  | 'fr-feature'
  | 'fr-liveness'
  | 'fr-eye'
  | 'age-gender'
  | 'face-expression'

/** Networks that no page uses because they search for groups, are too large, or are not worth the extra time. */
export type ServerModelName = 'blazeface-full' | 'fr-detect' | 'faceres-deep' | 'dlib-face'
