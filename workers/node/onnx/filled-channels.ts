import { countElements, type Graph, type Node, type Tensor } from '../../onnx/graph.ts'

const multiple = 4
/** What answers zeros in the channels that are added, or is multiplied by zeros there. */
const fillable = new Set(['Conv', 'PRelu', 'Relu', 'Sigmoid', 'Add', 'Mul', 'GlobalAveragePool', 'MaxPool'])

/**
 * The same network with zeros in between, so that every inner convolution has a multiple of four channels; the network
 * as it is where zeros would reach what does not expect them.
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

interface Filling {
  readonly graph: Graph
  readonly initialisers: Map<string, Tensor>
  /** By the name of a value that was filled: how many channels it has now. */
  readonly channels: Map<string, number>
}

/** Undefined where the node cannot be filled. */
function fillNode(filling: Filling, node: Node): Node | undefined {
  const { graph, channels } = filling
  const values = node.inputs.filter((name) => name !== '' && weightsOf(graph, name) === undefined)
  const counts = new Set(values.map((name) => channels.get(name)))
  const [count] = counts
  if (counts.size > 1 || (count !== undefined && !fillable.has(node.op))) return undefined
  if (node.op === 'Conv') return fillConvolution(filling, node, count)
  if (count === undefined) return node
  if (node.op === 'PRelu') grow(filling, node.inputs[1], [count, 1, 1])
  channels.set(node.outputs[0]!, count)
  return node
}

function fillConvolution(filling: Filling, node: Node, count: number | undefined): Node | undefined {
  const { graph, channels } = filling
  const [, weights = '', bias] = node.inputs
  const output = node.outputs[0]!
  const group = node.attributes.group?.i ?? 1
  const dims = weightsOf(graph, weights)?.dims
  if (dims === undefined) return undefined
  const [outputs, inputs, ...kernel] = dims as [number, number, ...number[]]
  const each = group > 1 && inputs === 1 && group === outputs
  if (group > 1 && !each) return count === undefined ? node : undefined
  const rounded = takesFilled(graph, output) ? Math.ceil(outputs / multiple) * multiple : outputs
  const next = each ? (count ?? outputs) : rounded
  grow(filling, weights, [next, each ? 1 : (count ?? inputs), ...kernel])
  grow(filling, bias, [next])
  if (next !== outputs) channels.set(output, next)
  return each ? { ...node, attributes: { ...node.attributes, group: { i: next } } } : node
}

function takesFilled({ nodes, outputs }: Graph, name: string): boolean {
  const isResult = outputs.some((port) => port.name === name)
  return !isResult && nodes.every((node) => !node.inputs.includes(name) || fillable.has(node.op))
}

function grow({ graph, initialisers }: Filling, name: string | undefined, dims: readonly number[]): void {
  const tensor = name === undefined ? undefined : weightsOf(graph, name)
  if (tensor !== undefined) initialisers.set(sourceOf(graph, name!), grown(tensor, dims))
}

/** The tensor in the corner of a larger one of zeros; only the first two axes grow. */
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

/** The weights that stand behind a name, in whatever precision they are kept. */
export function weightsOf(graph: Graph, name: string): Tensor | undefined {
  return graph.initialisers.get(sourceOf(graph, name))
}

/** Weights in half precision reach their node through a Cast. */
function sourceOf({ nodes, initialisers }: Graph, name: string): string {
  if (initialisers.has(name)) return name
  return nodes.find(({ op, outputs }) => op === 'Cast' && outputs[0] === name)?.inputs[0] ?? name
}
