/**
 * Converts a TensorFlow.js graph model to an ONNX graph. TensorFlow puts channels last and ONNX puts them first, so pictures are transposed once
 * through their weights. Flat values stay as they are.
 */
import {
  type Attribute,
  type FloatTensor,
  floatTensor,
  type Graph,
  type Node,
  permuteTensor,
  type Tensor,
} from '../../workers/onnx/graph.ts'
import { type FlowModel, type FlowNode, numbersOf, shapeOf, wordsOf } from './tfjs-graph.ts'

type Attributes = Record<string, Attribute>
type Convert = (context: Context, node: FlowNode) => void

const OPSET = 17

const CONVERTERS: Readonly<Record<string, Convert>> = {
  Placeholder: (context, node) => context.setInput(node),
  Const: () => undefined,
  Conv2D: (context, node) => convolve(context, node, [3, 2, 0, 1]),
  DepthwiseConv2dNative: convolveEach,
  Add: (context, node) => combine(context, node, 'Add'),
  Mul: (context, node) => combine(context, node, 'Mul'),
  Relu: (context, node) => bound(context, node, { low: 0 }),
  Minimum: (context, node) => bound(context, node, { high: context.scalar(node.input?.[1]) }),
  Maximum: (context, node) => bound(context, node, { low: context.scalar(node.input?.[1]) }),
  Mean: meanOfPicture,
  _FusedMatMul: connect,
  Sigmoid: (context, node) => context.emit('Sigmoid', node, [context.source(node)]),
  Softmax: (context, node) => context.emit('Softmax', node, [context.source(node)], { axis: { i: 1 } }),
}

/** An output node and the size of its output. */
export interface Head {
  readonly node: string
  readonly width: number
}

/** Converts the network from its input up to the named nodes. Everything else is pruned. */
export function convertFlowModel(name: string, model: FlowModel, outputs: readonly Head[]): Graph {
  const context = new Context(model)
  for (const node of model.nodes) {
    const convert = CONVERTERS[node.op]
    if (!convert) throw new Error(`No conversion for the TensorFlow operator ${node.op}`)
    convert(context, node)
  }
  return {
    name,
    opset: OPSET,
    inputs: [{ name: 'input', dims: context.input }],
    outputs: outputs.map(({ node, width }) => ({ name: context.name(node), dims: [1, width] })),
    nodes: context.nodes,
    initialisers: context.initialisers,
  }
}

class Context {
  readonly nodes: Node[] = []
  readonly initialisers = new Map<string, Tensor>()
  input: readonly number[] = []
  private readonly names = new Map<string, string>()

  constructor(private readonly model: FlowModel) {}

  name(node: string | undefined): string {
    return this.names.get(node ?? '') ?? node ?? ''
  }

  source(node: FlowNode): string {
    return this.name(node.input?.[0])
  }

  setInput(node: FlowNode): void {
    const [, height = 1, width = 1, channels = 1] = shapeOf(node)
    this.input = [1, channels, height, width]
    this.names.set(node.name, 'input')
  }

  weights(name: string | undefined): FloatTensor | undefined {
    const tensor = this.model.weights.get(name ?? '')
    return tensor?.type === 'float32' ? tensor : undefined
  }

  scalar(name: string | undefined): number {
    const value = this.weights(name)?.data
    if (value?.length !== 1) throw new Error(`${name} is not a number`)
    return value[0] as number
  }

  constant(name: string, tensor: Tensor): string {
    this.initialisers.set(name, tensor)
    return name
  }

  /** Emits an operation's node together with the activation that was fused into it. */
  emit(op: string, node: FlowNode, inputs: readonly string[], attributes: Attributes = {}): void {
    const fused = wordsOf(node, 'fused_ops').filter((word) => word !== 'BiasAdd')
    if (fused.some((word) => word !== 'Relu')) throw new Error(`No conversion for the fused ${fused}`)
    const output = fused.length > 0 ? `${node.name}/raw` : node.name
    this.nodes.push({ op, inputs, outputs: [output], attributes })
    if (fused.length > 0)
      this.nodes.push({ op: 'Relu', inputs: [output], outputs: [node.name], attributes: {} })
  }
}

function convolve(context: Context, node: FlowNode, order: readonly number[], group = 1): void {
  const weights = context.weights(node.input?.[1])
  if (!weights) throw new Error(`${node.name} lacks its weights`)
  const turned = permuteTensor(weights, order)
  const inputs = [context.source(node), context.constant(`${node.name}/weights`, turned)]
  const bias = context.weights(node.input?.[2])
  if (bias) inputs.push(context.constant(`${node.name}/bias`, bias))
  const window = windowOf(node, turned.dims.slice(2))
  context.emit('Conv', node, inputs, { ...window, group: { i: group } })
}

/** A separate filter for each channel. */
function convolveEach(context: Context, node: FlowNode): void {
  const weights = context.weights(node.input?.[1])
  if (weights?.dims[3] !== 1) throw new Error(`${node.name} has more than one filter a channel`)
  convolve(context, node, [2, 3, 0, 1], weights.dims[2])
}

/** TensorFlow's SAME puts the odd pixel at the end, just like ONNX's SAME_UPPER. */
function windowOf(node: FlowNode, kernel: readonly number[]): Attributes {
  if (numbersOf(node, 'dilations').some((step) => step > 1))
    throw new Error('Dilated convolutions are not converted')
  const padding = wordsOf(node, 'padding')[0] === 'SAME' ? 'SAME_UPPER' : 'VALID'
  return {
    kernel_shape: { ints: kernel },
    strides: { ints: numbersOf(node, 'strides').slice(1, 3) },
    auto_pad: { s: padding },
  }
}

/** Combines two pictures, or a picture and one number per channel. */
function combine(context: Context, node: FlowNode, op: 'Add' | 'Mul'): void {
  const inputs = (node.input ?? []).map((name) => {
    const weights = context.weights(name)
    if (!weights) return context.name(name)
    return context.constant(`${node.name}/each`, floatTensor([weights.data.length, 1, 1], weights.data))
  })
  context.emit(op, node, inputs)
}

interface Range {
  readonly low?: number
  readonly high?: number
}

/** Merges consecutive bounds into one, because ReLU6 used to be written as a Relu followed by a minimum and a maximum. */
function bound(context: Context, node: FlowNode, range: Range): void {
  const before = context.nodes.findLast((known) => known.outputs[0] === context.source(node))
  const earlier = before && rangeOf(context, before)
  const from = (earlier && before.inputs[0]) ?? context.source(node)
  const low = Math.max(earlier?.low ?? Number.NEGATIVE_INFINITY, range.low ?? Number.NEGATIVE_INFINITY)
  const high = Math.min(earlier?.high ?? Number.POSITIVE_INFINITY, range.high ?? Number.POSITIVE_INFINITY)
  const limit = (kind: string, value: number): string =>
    Number.isFinite(value) ? context.constant(`${node.name}/${kind}`, floatTensor([], [value])) : ''
  if (low === 0 && high === Number.POSITIVE_INFINITY) context.emit('Relu', node, [from])
  else context.emit('Clip', node, [from, limit('low', low), limit('high', high)])
}

function rangeOf(context: Context, { op, inputs }: Node): Range | undefined {
  if (op === 'Relu') return { low: 0 }
  if (op !== 'Clip') return undefined
  const [low, high] = inputs.slice(1).map((name) => context.initialisers.get(name)?.data[0])
  return { ...(low !== undefined && { low: Number(low) }), ...(high !== undefined && { high: Number(high) }) }
}

function meanOfPicture(context: Context, node: FlowNode): void {
  const pooled = `${node.name}/pooled`
  context.nodes.push({
    op: 'GlobalAveragePool',
    inputs: [context.source(node)],
    outputs: [pooled],
    attributes: {},
  })
  context.emit('Flatten', node, [pooled], { axis: { i: 1 } })
}

function connect(context: Context, node: FlowNode): void {
  const inputs = (node.input ?? []).map((name) => {
    const weights = context.weights(name)
    return weights ? context.constant(name, weights) : context.name(name)
  })
  context.emit('Gemm', node, inputs)
}
