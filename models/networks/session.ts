import type { InstalledModelName } from '#models/rules/pack-recipe.ts'

/** A dense, row-major float32 tensor. */
export interface Tensor {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

/** The port for an ONNX runtime. `models/` does not import one itself. */
export interface Session {
  /**
   * Runs the network once. The input is named `input` in every shipped network. Outputs have the names in the manifest,
   * or those of the publisher of an installed network.
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
