import type { Graph, Node, Tensor } from '../../onnx/graph.ts'
import { fromHalf } from '../../onnx/half.ts'

/** Weights as floats. */
export interface Constant {
  readonly dims: readonly number[]
  readonly data: Float32Array
}

/** All values that do not depend on an input, by name. Low-precision weights are widened once. */
export function constantsOf({ nodes, initialisers }: Graph): Map<string, Constant> {
  const constants = new Map<string, Constant>()
  for (const [name, tensor] of initialisers)
    constants.set(name, { dims: tensor.dims, data: floatsOf(tensor) })
  for (const node of nodes) {
    const inputs = node.inputs.map((name) => constants.get(name))
    if (inputs.some((input) => input === undefined)) continue
    constants.set(node.outputs[0]!, evaluate(node, inputs as Constant[]))
  }
  return constants
}

/** Supports the conversions that networks apply to their weights, i.e. widening and scaling 8-bit values. */
function evaluate({ op }: Node, [first, second]: readonly Constant[]): Constant {
  const { dims, data } = first!
  if (op === 'Cast') return { dims, data }
  const by = second?.data.length === 1 ? second.data[0]! : undefined
  if (by === undefined || (op !== 'Mul' && op !== 'Add')) throw new Error(`${op} of weights is not supported`)
  const [factor, term] = op === 'Mul' ? [by, 0] : [1, by]
  const changed = new Float32Array(data.length)
  for (let i = 0; i < data.length; i++) changed[i] = data[i]! * factor + term
  return { dims, data: changed }
}

/**
 * [Note: No traces of channels that have died] Training leaves some channels with a bias of 1e-20. Products of such
 * numbers are denormal, which processors compute ten times slower, and adding them to any other number has no effect.
 */
const trace = 1e-15

function floatsOf(tensor: Tensor): Float32Array {
  if (tensor.type === 'float16') return widenHalf(tensor.data)
  const floats = Float32Array.from(tensor.data)
  for (let i = 0; i < floats.length; i++) if (Math.abs(floats[i]!) < trace) floats[i] = 0
  return floats
}

/** All half-precision numbers, indexed by their bits. Except for zero, none is small enough to count as a trace. */
let halves: Float32Array | undefined

function widenHalf(bits: Uint16Array): Float32Array {
  if (halves === undefined) {
    halves = new Float32Array(65_536)
    for (let i = 0; i < halves.length; i++) halves[i] = fromHalf(i)
  }
  const wide = new Float32Array(bits.length)
  for (let i = 0; i < bits.length; i++) wide[i] = halves[bits[i]!]!
  return wide
}
