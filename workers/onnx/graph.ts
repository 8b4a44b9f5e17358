/** A network as plain values. The converters produce it, and the ONNX writer consumes it. */

type TensorData =
  | { readonly type: 'float32'; readonly data: Float32Array }
  /** There is no typed array for half precision, so the bits are stored as unsigned 16-bit integers. */
  | { readonly type: 'float16'; readonly data: Uint16Array }
  | { readonly type: 'uint8'; readonly data: Uint8Array }
  | { readonly type: 'int8'; readonly data: Int8Array }
  | { readonly type: 'int64'; readonly data: readonly number[] }

export type Tensor = TensorData & { readonly dims: readonly number[] }
export type FloatTensor = Extract<Tensor, { type: 'float32' }>

/** Exactly one of these members is set. */
export interface Attribute {
  readonly i?: number
  readonly f?: number
  readonly s?: string
  readonly ints?: readonly number[]
  readonly floats?: readonly number[]
  readonly t?: Tensor
}

export interface Node {
  readonly op: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes: Readonly<Record<string, Attribute>>
}

export interface Port {
  readonly name: string
  /** If a dimension is a name rather than a number, its size is determined at run time. */
  readonly dims: readonly (number | string)[]
}

export interface Graph {
  readonly name: string
  readonly opset: number
  readonly inputs: readonly Port[]
  readonly outputs: readonly Port[]
  readonly nodes: readonly Node[]
  readonly initialisers: ReadonlyMap<string, Tensor>
}

export function floatTensor(dims: readonly number[], data: Float32Array | readonly number[]): FloatTensor {
  return { type: 'float32', dims, data: data instanceof Float32Array ? data : Float32Array.from(data) }
}

export function intTensor(values: readonly number[]): Tensor {
  return { type: 'int64', dims: [values.length], data: values }
}

export function countElements(dims: readonly number[]): number {
  return dims.reduce((product, size) => product * size, 1)
}

/** Reorders the axes of dense data: axis k of the result is axis order[k] of the source. */
export function permute<T extends { [index: number]: number }>(
  source: T,
  dims: readonly number[],
  order: readonly number[],
  make: (length: number) => T,
): T {
  const strides = dims.map((_, axis) => countElements(dims.slice(axis + 1)))
  const sizes = order.map((axis) => dims[axis] ?? 1)
  const steps = order.map((axis) => strides[axis] ?? 0)
  const result = make(countElements(dims))
  const index = sizes.map(() => 0)
  let from = 0
  for (let to = 0; to < countElements(dims); to++) {
    result[to] = source[from] ?? 0
    from += advance(index, sizes, steps)
  }
  return result
}

/** Increments a multi-dimensional index and returns how far this moves the offset in the source. */
function advance(index: number[], sizes: readonly number[], steps: readonly number[]): number {
  let moved = 0
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const now = (index[axis] ?? 0) + 1
    const step = steps[axis] ?? 0
    if (now < (sizes[axis] ?? 1)) {
      index[axis] = now
      return moved + step
    }
    index[axis] = 0
    moved -= (now - 1) * step
  }
  return moved
}

export function permuteTensor(tensor: FloatTensor, order: readonly number[]): FloatTensor {
  const data = permute(tensor.data, tensor.dims, order, (length) => new Float32Array(length))
  return floatTensor(
    order.map((axis) => tensor.dims[axis] ?? 1),
    data,
  )
}
