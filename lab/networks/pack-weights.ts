/**
 * Makes weights smaller for transfer. A packed tensor is followed by the few nodes that widen it to float32. The runtime folds these when it loads
 * the model, so they cost nothing per run.
 *
 * DequantizeLinear would be the standard operator, but the runtime does not fold it and therefore repeats it in each run.
 */
import {
  countElements,
  type FloatTensor,
  floatTensor,
  type Graph,
  type Node,
  type Tensor,
} from '../../workers/onnx/graph.ts'
import { fromHalf, toHalf } from '../../workers/onnx/half.ts'

/** Weights, and the nodes that widen them. */
export interface PackedWeights {
  readonly initialisers: readonly (readonly [string, Tensor])[]
  readonly nodes: readonly Node[]
}

const FLOAT = { i: 1 }
/** For smaller tensors, the widening nodes would take up more than they save. */
const SMALLEST = 64

/** Halves the precision of every tensor for which this is worthwhile. */
export function packWeights(graph: Graph): Graph {
  const packed = [...graph.initialisers].map(([name, tensor]) =>
    isWorthHalving(tensor) ? packHalf(name, tensor) : keep(name, tensor),
  )
  return {
    ...graph,
    initialisers: new Map(packed.flatMap((item) => item.initialisers)),
    nodes: [...packed.flatMap((item) => item.nodes), ...graph.nodes],
  }
}

/** Applies to large weights, and to all that do not lose anything. Biases and the like are small and stay exact. */
function isWorthHalving(tensor: Tensor): tensor is FloatTensor {
  if (!isLarge(tensor)) return false
  return tensor.data.every((value) => fromHalf(toHalf(value)) === value) || isMatrix(tensor)
}

export function isMatrix(tensor: Tensor): tensor is FloatTensor {
  return isLarge(tensor) && countElements(tensor.dims) > Math.max(...tensor.dims)
}

function isLarge(tensor: Tensor): tensor is FloatTensor {
  return tensor.type === 'float32' && tensor.data.length >= SMALLEST
}

function packHalf(name: string, tensor: FloatTensor): PackedWeights {
  const half: Tensor = { type: 'float16', dims: tensor.dims, data: Uint16Array.from(tensor.data, toHalf) }
  return { initialisers: [[`${name}/half`, half]], nodes: [widen(`${name}/half`, name)] }
}

/** Bytes in the package's format: value = minimum + scale * byte. */
export function packBytes(
  name: string,
  bytes: readonly [readonly number[], Uint8Array],
  scale: number,
  minimum: number,
): PackedWeights {
  const [dims, data] = bytes
  if (data.length < SMALLEST) {
    const wide = Float32Array.from(data, (byte) => byte * scale + minimum)
    return keep(name, floatTensor(dims, wide))
  }
  return {
    initialisers: [
      [`${name}/bytes`, { type: 'uint8', dims, data }],
      [`${name}/scale`, floatTensor([], [scale])],
      [`${name}/minimum`, floatTensor([], [minimum])],
    ],
    nodes: [
      widen(`${name}/bytes`, `${name}/wide`),
      { op: 'Mul', inputs: [`${name}/wide`, `${name}/scale`], outputs: [`${name}/scaled`], attributes: {} },
      { op: 'Add', inputs: [`${name}/scaled`, `${name}/minimum`], outputs: [name], attributes: {} },
    ],
  }
}

export function keep(name: string, tensor: Tensor): PackedWeights {
  return { initialisers: [[name, tensor]], nodes: [] }
}

function widen(from: string, to: string): Node {
  return { op: 'Cast', inputs: [from], outputs: [to], attributes: { to: FLOAT } }
}
