import { countElements, type Graph, type Node, type Tensor } from '../../onnx/graph.ts'

/** The number of channels in the largest block that native convolutions use. */
const multiple = 16
/** Operators that output zeros in the added channels, or that only ever multiply the added values by zeros. */
const fillable = new Set([
  ...['Conv', 'PRelu', 'Relu', 'Sigmoid', 'Add', 'Mul', 'Pad', 'GlobalAveragePool', 'MaxPool'],
])

/**
 * Pads the network with zero channels so that all inner convolutions have complete blocks. Returns it unchanged if the zeros would affect
 * an operator that does not expect them.
 */
export function filledChannels(graph: Graph): Graph {
  const filling: Filling = { graph, initialisers: new Map(graph.initialisers), channels: new Map() }
  const nodes: Node[] = []
  for (const node of graph.nodes) {
    const filled = fillNode(filling, node)
    if (filled === undefined) return graph
    nodes.push(filled)
  }
  return { ...graph, nodes, initialisers: filling.initialisers }
}

/** The number of a value's channels, and how many of them are not padding. */
interface Channels {
  readonly own: number
  readonly all: number
}

interface Filling {
  readonly graph: Graph
  readonly initialisers: Map<string, Tensor>
  /** Keyed by the value's name, starting with the first convolution. */
  readonly channels: Map<string, Channels>
}

/** Returns undefined if the node cannot be padded. */
function fillNode(filling: Filling, node: Node): Node | undefined {
  const { graph, channels } = filling
  const values = node.inputs.filter((name) => name !== '' && weightsOf(graph, name) === undefined)
  const known = values.map((name) => channels.get(name))
  const [given] = known
  const isFilled = known.some((one) => one !== undefined && one.all > one.own)
  if (isFilled && (!fillable.has(node.op) || known.some((one) => one?.all !== given?.all))) return undefined
  if (node.op === 'Conv') return fillConvolution(filling, node, given)
  if (given === undefined || !fillable.has(node.op)) return node
  if (node.op === 'Pad') return fillPad(filling, node, given)
  if (node.op === 'PRelu' && isFilled) grow(filling, node.inputs[1], [given.all, 1, 1])
  channels.set(node.outputs[0]!, given)
  return node
}

function fillConvolution(filling: Filling, node: Node, given: Channels | undefined): Node | undefined {
  const { graph, channels } = filling
  const [, weights = '', bias] = node.inputs
  const output = node.outputs[0]!
  const group = node.attributes.group?.i ?? 1
  const dims = weightsOf(graph, weights)?.dims
  if (dims === undefined) return undefined
  const [outputs, inputs, ...kernel] = dims as [number, number, ...number[]]
  const isFilled = given !== undefined && given.all > given.own
  const each = group > 1 && inputs === 1 && group === outputs
  if (group > 1 && !each) return isFilled ? undefined : node
  const rounded = takesFilled(graph, output) ? wholeBlocks(outputs) : outputs
  const next = each ? (given?.all ?? outputs) : rounded
  grow(filling, weights, [next, each ? 1 : (given?.all ?? inputs), ...kernel])
  grow(filling, bias, [next])
  channels.set(output, { own: outputs, all: next })
  return each ? { ...node, attributes: { ...node.attributes, group: { i: next } } } : node
}

/**
 * [Note: More channels without leaving the blocks] Zero channels are appended either by reusing existing ones or by a 1x1
 * convolution that copies the input, because the block format does not support Pad.
 */
function fillPad({ graph, initialisers, channels }: Filling, node: Node, given: Channels): Node | undefined {
  const [input = '', amounts = ''] = node.inputs
  const more = addedChannels(weightsOf(graph, amounts))
  const output = node.outputs[0]!
  if (more === undefined || !takesFilled(graph, output)) return given.all > given.own ? undefined : node
  const own = given.own + more
  const all = wholeBlocks(own)
  channels.set(output, { own, all })
  if (all === given.all) return { op: 'Identity', inputs: [input], outputs: [output], attributes: {} }
  const weights = `${output}/handed on`
  const data = new Float32Array(all * given.all)
  for (let i = 0; i < given.own; i++) data[i * given.all + i] = 1
  initialisers.set(weights, { type: 'float32', dims: [all, given.all, 1, 1], data })
  const attributes = { kernel_shape: { ints: [1, 1] } }
  return { op: 'Conv', inputs: [input, weights], outputs: [output], attributes }
}

/** The number of channels that a Pad appends, or undefined if it does anything else. */
function addedChannels(amounts: Tensor | undefined): number | undefined {
  if (amounts?.type !== 'int64' || amounts.data.length !== 8) return undefined
  const last = 5
  return amounts.data.every((amount, i) => i === last || Number(amount) === 0)
    ? Number(amounts.data[last])
    : undefined
}

function wholeBlocks(channels: number): number {
  return Math.ceil(channels / multiple) * multiple
}

function takesFilled({ nodes, outputs }: Graph, name: string): boolean {
  const isResult = outputs.some((port) => port.name === name)
  return !isResult && nodes.every((node) => !node.inputs.includes(name) || fillable.has(node.op))
}

function grow({ graph, initialisers }: Filling, name: string | undefined, dims: readonly number[]): void {
  const tensor = name === undefined ? undefined : weightsOf(graph, name)
  if (tensor !== undefined) initialisers.set(sourceOf(graph, name!), grown(tensor, dims))
}

/** Places the tensor in the corner of a larger tensor of zeros. Only the first two axes grow. */
function grown(tensor: Tensor, dims: readonly number[]): Tensor {
  const [rows, ...rest] = tensor.dims as [number, ...number[]]
  const from = countElements(rest)
  const to = countElements(dims.slice(1))
  const place = <T extends Float32Array | Uint16Array>(data: T, larger: T): T => {
    for (let row = 0; row < rows; row++) larger.set(data.subarray(row * from, (row + 1) * from), row * to)
    return larger
  }
  if (tensor.type === 'float32')
    return { ...tensor, dims, data: place(tensor.data, new Float32Array(countElements(dims))) }
  if (tensor.type === 'float16')
    return { ...tensor, dims, data: place(tensor.data, new Uint16Array(countElements(dims))) }
  throw new Error('The weights of a convolution are floats')
}

/** The weights with a given name, whatever precision they are stored in. */
export function weightsOf(graph: Graph, name: string): Tensor | undefined {
  return graph.initialisers.get(sourceOf(graph, name))
}

/** Half-precision weights are converted by a Cast before they reach their node. */
function sourceOf({ nodes, initialisers }: Graph, name: string): string {
  if (initialisers.has(name)) return name
  return nodes.find(({ op, outputs }) => op === 'Cast' && outputs[0] === name)?.inputs[0] ?? name
}
