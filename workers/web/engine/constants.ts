import { countElements, type Graph, type Node, type Tensor } from '../../onnx/graph.ts'
import { fromHalf } from '../../onnx/half.ts'

/** Weights as floats. */
export interface Constant {
  readonly dims: readonly number[]
  readonly data: Float32Array
}

/** Every value that depends on no input, by its name: what is kept in fewer bits is widened once. */
export function constantsOf({ nodes, initialisers }: Graph): Map<string, Constant> {
  const constants = new Map<string, Constant>()
  for (const [name, tensor] of initialisers)
    constants.set(name, { dims: tensor.dims, data: withoutTraces(floatsOf(tensor)) })
  for (const node of nodes) {
    const inputs = node.inputs.map((name) => constants.get(name))
    if (inputs.some((input) => input === undefined)) continue
    constants.set(node.outputs[0]!, evaluate(node, inputs as Constant[]))
  }
  return constants
}

/** Weights are widened, and those of eight bits put to their scale; nothing else stands between a network and its weights. */
function evaluate({ op }: Node, [first, second]: readonly Constant[]): Constant {
  if (op === 'Cast') return first!
  const by = second?.data.length === 1 ? second.data[0]! : undefined
  if (by === undefined || (op !== 'Mul' && op !== 'Add')) throw new Error(`${op} of weights is not known`)
  return {
    dims: first!.dims,
    data: first!.data.map(op === 'Mul' ? (value) => value * by : (value) => value + by),
  }
}

/**
 * [Note: No traces of channels that have died] Training leaves some channels with a bias of 1e-20. Products of such numbers are
 * too small for their normal form, which processors compute with ten times slower; beside any other number they are nothing.
 */
const trace = 1e-15

function withoutTraces(numbers: Float32Array): Float32Array {
  return numbers.map((value) => (Math.abs(value) < trace ? 0 : value))
}

let halves: Float32Array | undefined

function floatsOf(tensor: Tensor): Float32Array {
  if (tensor.type === 'float32') return tensor.data
  if (tensor.type !== 'float16') return Float32Array.from(tensor.data)
  halves ??= Float32Array.from({ length: 65_536 }, (_, bits) => fromHalf(bits))
  const wide = new Float32Array(countElements(tensor.dims))
  for (let i = 0; i < wide.length; i++) wide[i] = halves[tensor.data[i]!]!
  return wide
}
