import type { Graph, Node, Tensor } from '../../onnx/graph.ts'
import { fromHalf } from '../../onnx/half.ts'
import { decodeModel, encodeModel } from '../../onnx/onnx.ts'
import { filledChannels, weightsOf } from './filled-channels.ts'
import { prune } from './rewrite.ts'

/**
 * Rewrites a network (ONNX bytes in and out) so that the native runtime stays in its fast format. Outputs change only by
 * rounding.
 *
 * [Note: Blocks of channels] Native convolutions are fastest on data stored in blocks of channels. That format supports
 * neither PRelu nor an odd number of channels; around each of them all values were converted back and forth, which took
 * more than half of the time. WebAssembly has no such format and runs a network fastest unchanged. So the network is
 * rewritten while it is loaded, and there is only one file of weights.
 */
export function nativeGraph(model: Uint8Array): Uint8Array {
  const graph = decodeModel(model)
  if (!graph.nodes.some(({ op }) => op === 'PRelu' || op === 'Pad')) return model
  return encodeModel(prune(withoutPRelu(filledChannels(graph))))
}

function withoutPRelu(graph: Graph): Graph {
  const initialisers = new Map(graph.initialisers)
  const nodes = graph.nodes.flatMap((node) => {
    const slopes = node.op === 'PRelu' ? floatsOf(weightsOf(graph, node.inputs[1]!)) : undefined
    return slopes === undefined ? [node] : inFastForm(node, slopes, initialisers)
  })
  return { ...graph, nodes, initialisers }
}

/**
 * PRelu of slope a is a x + relu((1 - a) x) if no slope is above 1, otherwise a x + (1 - a) relu(x). Multiplying each
 * channel by a number is a 1x1 convolution.
 */
function inFastForm(node: Node, slopes: Float32Array, initialisers: Map<string, Tensor>): Node[] {
  const x = node.inputs[0]!
  const output = node.outputs[0]!
  const own = (part: string) => `${output}/${part}`
  const dims = [slopes.length, 1, 1, 1]
  initialisers.set(own('slopes'), { type: 'float32', dims, data: slopes })
  initialisers.set(own('rest'), { type: 'float32', dims, data: slopes.map((slope) => 1 - slope) })
  const attributes = { group: { i: slopes.length }, kernel_shape: { ints: [1, 1] } }
  const scale = (input: string, by: string, to: string): Node => ({
    op: 'Conv',
    inputs: [input, own(by)],
    outputs: [own(to)],
    attributes,
  })
  const relu = (input: string, to: string): Node => ({
    op: 'Relu',
    inputs: [input],
    outputs: [own(to)],
    attributes: {},
  })
  const active = slopes.every((slope) => slope <= 1)
    ? [scale(x, 'rest', 'scaled'), relu(own('scaled'), 'active')]
    : [relu(x, 'positive'), scale(own('positive'), 'rest', 'active')]
  const sum: Node = { op: 'Add', inputs: [own('line'), own('active')], outputs: [output], attributes: {} }
  return [...active, scale(x, 'slopes', 'line'), sum]
}

function floatsOf(tensor: Tensor | undefined): Float32Array | undefined {
  if (tensor?.type === 'float32') return tensor.data
  return tensor?.type === 'float16' ? Float32Array.from(tensor.data, fromHalf) : undefined
}
