/** A dense, row-major float32 tensor. */
export interface Tensor {
  readonly data: Float32Array
  readonly dims: readonly number[]
}
