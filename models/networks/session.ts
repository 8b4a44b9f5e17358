import type { InstalledModelName } from '#models/rules/pack-recipe.ts'

/** A dense tensor of float32 in row-major order. */
export interface Tensor {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

/** The port behind which an ONNX runtime stands. `models/` imports none. */
export interface Session {
  /**
   * Runs the network once. Input is named `input` in every network of ours; outputs carry the manifest's names, or those that
   * the publisher of an installed network gave them.
   */
  run(input: Tensor): Promise<Readonly<Record<string, Tensor>>>
}

/** Opens a network by its name in the manifest. A second call for one name may answer the same session. */
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

/** Networks that no page asks for: they look for groups, are too large, or are not worth a page's time. */
export type ServerModelName = 'blazeface-full' | 'fr-detect' | 'faceres-deep' | 'dlib-face'
