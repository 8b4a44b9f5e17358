/**
 * Makes weights small for the journey. A packed tensor is followed by the few nodes that widen it to float32; the
 * runtime folds those once, when it loads the model, so that nothing is paid per run.
 *
 * DequantizeLinear would be the textbook operator, but the runtime leaves it unfolded and repeats it in each run.
 */
import { type FloatTensor, type Graph, type Node, type Tensor, countElements, floatTensor } from './graph.ts'
import { fromHalf, toHalf } from './half.ts'

export type Precision = 'float32' | 'fp16' | 'int8'
export type ChoosePrecision = (name: string, tensor: FloatTensor) => Precision

const FLOAT = { i: 1 }
/** Below this the widening nodes weigh more than they save. */
const SMALLEST = 64

export interface Packed {
  readonly initialisers: readonly (readonly [string, Tensor])[]
  readonly nodes: readonly Node[]
}

export function packWeights(graph: Graph, choose: ChoosePrecision): Graph {
  const initialisers = new Map<string, Tensor>()
  const nodes: Node[] = []
  for (const [name, tensor] of graph.initialisers) {
    const packed = packTensor(name, tensor, choose)
    for (const [key, value] of packed.initialisers) initialisers.set(key, value)
    nodes.push(...packed.nodes)
  }
  return { ...graph, initialisers, nodes: [...nodes, ...graph.nodes] }
}

function packTensor(name: string, tensor: Tensor, choose: ChoosePrecision): Packed {
  if (tensor.type !== 'float32' || tensor.data.length < SMALLEST) return keep(name, tensor)
  const precision = choose(name, tensor)
  if (precision === 'fp16') return packHalf(name, tensor)
  if (precision === 'int8') return packBytes(name, tensor)
  return keep(name, tensor)
}

function keep(name: string, tensor: Tensor): Packed {
  return { initialisers: [[name, tensor]], nodes: [] }
}

function packHalf(name: string, tensor: FloatTensor): Packed {
  const half: Tensor = { type: 'float16', dims: tensor.dims, data: Uint16Array.from(tensor.data, toHalf) }
  return { initialisers: [[`${name}/half`, half]], nodes: [widen(`${name}/half`, name)] }
}

/** Symmetric, with a scale of its own for each output channel (the first axis of a convolution's weights). */
function packBytes(name: string, tensor: FloatTensor): Packed {
  const channels = tensor.dims[0] ?? 1
  const size = tensor.data.length / channels
  const scales = Float32Array.from({ length: channels }, (_, channel) =>
    chooseScale(tensor.data.subarray(channel * size, (channel + 1) * size)),
  )
  const data = Int8Array.from(tensor.data, (value, index) => {
    const scale = scales[Math.floor(index / size)] ?? 1
    return quantise(value, scale)
  })
  const scaleDims = tensor.dims.map((_, axis) => (axis === 0 ? channels : 1))
  return {
    initialisers: [
      [`${name}/bytes`, { type: 'int8', dims: tensor.dims, data }],
      [`${name}/scale`, floatTensor(scaleDims, scales)],
    ],
    nodes: [
      widen(`${name}/bytes`, `${name}/wide`),
      { op: 'Mul', inputs: [`${name}/wide`, `${name}/scale`], outputs: [name], attributes: {} },
    ],
  }
}

function quantise(value: number, scale: number): number {
  return Math.max(-127, Math.min(127, Math.round(value / scale)))
}

/** Clipping the few largest weights a little often costs less than the coarser steps they force on the rest. */
function chooseScale(values: Float32Array): number {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (largest === 0) return 1
  let best = { scale: largest / 127, error: Number.POSITIVE_INFINITY }
  for (let clip = 100; clip >= 80; clip -= 2) {
    const scale = Math.fround((largest * clip) / 12700)
    const error = values.reduce((sum, value) => sum + (value - quantise(value, scale) * scale) ** 2, 0)
    if (error < best.error) best = { scale, error }
  }
  return best.scale
}

/** Bytes as a package ships them: value = minimum + scale * byte. */
export function packShippedBytes(name: string, bytes: Tensor, scale: number, minimum: number): Packed {
  if (bytes.type !== 'uint8') throw new Error(`${name} is not made of bytes`)
  if (bytes.data.length < SMALLEST) {
    return keep(
      name,
      floatTensor(
        bytes.dims,
        Float32Array.from(bytes.data, (byte) => byte * scale + minimum),
      ),
    )
  }
  return {
    initialisers: [
      [`${name}/bytes`, bytes],
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

function widen(from: string, to: string): Node {
  return { op: 'Cast', inputs: [from], outputs: [to], attributes: { to: FLOAT } }
}

/** Half precision for the large weights, and for anything that loses nothing by it. */
export function preferHalf(_name: string, tensor: FloatTensor): Precision {
  const isMatrix = countElements(tensor.dims) > Math.max(...tensor.dims)
  return isMatrix || isExactInHalf(tensor) ? 'fp16' : 'float32'
}

/** A byte a weight for convolutions that mix channels, half precision for the rest. */
export function preferBytes(name: string, tensor: FloatTensor): Precision {
  const mixesChannels = tensor.dims.length === 4 && (tensor.dims[1] ?? 1) >= 8
  return mixesChannels ? 'int8' : preferHalf(name, tensor)
}

function isExactInHalf(tensor: FloatTensor): boolean {
  return tensor.data.every((value) => fromHalf(toHalf(value)) === value)
}
