/** Transformations of entire graphs. Each one returns a new graph and leaves its argument unchanged. */
import { floatTensor, type Graph, intTensor, type Node, type Port } from '../../onnx/graph.ts'

/** Removes nodes and weights that no output depends on. */
export function prune(graph: Graph): Graph {
  const needed = new Set(graph.outputs.map((port) => port.name))
  const kept: Node[] = []
  // Nodes are listed in dependency order, so a single pass from the end finds every use.
  for (const node of graph.nodes.toReversed()) {
    if (!node.outputs.some((name) => needed.has(name))) continue
    for (const name of node.inputs) needed.add(name)
    kept.push(node)
  }
  const initialisers = new Map([...graph.initialisers].filter(([name]) => needed.has(name)))
  return { ...graph, nodes: kept.reverse(), initialisers }
}

/** Exporters freeze or compute the batch size in a Reshape to [batch, rest]. Flatten has the same effect for any batch size. */
export function flattenReshapes(graph: Graph): Graph {
  const nodes = graph.nodes.map((node): Node => {
    if (node.op !== 'Reshape') return node
    return { ...node, op: 'Flatten', inputs: node.inputs.slice(0, 1), attributes: { axis: { i: 1 } } }
  })
  return prune({ ...graph, nodes })
}

/**
 * Exporters compute the number of rows in a Reshape to [batch, rows, columns] from the size of the input; -1 means the
 * same for any input. The number of columns is the last dimension of the Concat that joins the rows.
 */
export function openReshapes(graph: Graph): Graph {
  const initialisers = new Map(graph.initialisers)
  const columnsOf = new Map(graph.outputs.map(({ name, dims }) => [name, Number(dims.at(-1))]))
  const nodes = graph.nodes.map((node): Node => {
    if (node.op !== 'Reshape') return node
    const joined = graph.nodes.find(({ op, inputs }) => op === 'Concat' && inputs.includes(node.outputs[0]!))
    const columns = columnsOf.get(joined?.outputs[0] ?? '')
    if (columns === undefined) return node
    initialisers.set(`rows/${columns}`, intTensor([0, -1, columns]))
    return { ...node, inputs: [node.inputs[0]!, `rows/${columns}`] }
  })
  return prune({ ...graph, nodes, initialisers })
}

/** Gives the graph its final interface: one input, outputs with our own names, and any batch size. */
export function nameOutputs(graph: Graph, names: readonly string[]): Graph {
  const renamed = new Map(graph.outputs.map((port, index) => [port.name, names[index] ?? port.name]))
  const swap = (name: string): string => renamed.get(name) ?? name
  return {
    ...graph,
    inputs: graph.inputs.map(freeBatch),
    outputs: graph.outputs.map((port) => freeBatch({ ...port, name: swap(port.name) })),
    nodes: graph.nodes.map((node) => ({
      ...node,
      inputs: node.inputs.map(swap),
      outputs: node.outputs.map(swap),
    })),
  }
}

function freeBatch(port: Port): Port {
  return { ...port, dims: ['N', ...port.dims.slice(1)] }
}

/** Moves the subtraction of a mean colour into the network. Padding inside the network then uses that colour. */
export function subtractMean(graph: Graph, mean: readonly number[]): Graph {
  const centred = 'input/centred'
  const subtract = { op: 'Sub', inputs: ['input', 'input/mean'], outputs: [centred], attributes: {} }
  const nodes = graph.nodes.map((node) => ({
    ...node,
    inputs: node.inputs.map((name) => (name === 'input' ? centred : name)),
  }))
  const weights = floatTensor([1, mean.length, 1, 1], mean)
  return {
    ...graph,
    nodes: [subtract, ...nodes],
    initialisers: new Map([...graph.initialisers, ['input/mean', weights]]),
  }
}

/** Shortens internal names, which account for most of the bytes apart from the weights. */
export function shortenNames(graph: Graph): Graph {
  const names = new Map([...graph.inputs, ...graph.outputs].map((port) => [port.name, port.name]))
  const short = (name: string): string => {
    if (!names.has(name)) names.set(name, name === '' ? '' : `t${names.size.toString(36)}`)
    return names.get(name) as string
  }
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({
      ...node,
      inputs: node.inputs.map(short),
      outputs: node.outputs.map(short),
    })),
    initialisers: new Map([...graph.initialisers].map(([name, tensor]) => [short(name), tensor])),
  }
}
