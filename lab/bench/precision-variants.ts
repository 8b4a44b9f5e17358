/** Other ways to pack weights, for comparison with the ones that ship. */
import { isMatrix } from '#lab/networks/pack-weights.ts'
import { floatTensor, type Graph, type Node, type Tensor } from '../../workers/onnx/graph.ts'

/** One byte per weight, with a scale for each filter. Computed in single precision. */
export function packInBytes(graph: Graph): Graph {
  const initialisers = new Map<string, Tensor>()
  const widening: Node[] = []
  for (const [name, tensor] of graph.initialisers) {
    if (!isMatrix(tensor)) {
      initialisers.set(name, tensor)
      continue
    }
    const filters = tensor.dims[0] ?? 1
    const each = tensor.data.length / filters
    const scales = Array.from({ length: filters }, (_, i) => {
      const filter = tensor.data.subarray(i * each, (i + 1) * each)
      return filter.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-12) / 127
    })
    const data = Int8Array.from(tensor.data, (value, i) => Math.round(value / scales[Math.floor(i / each)]!))
    initialisers.set(`${name}/bytes`, { type: 'int8', dims: tensor.dims, data })
    initialisers.set(`${name}/scale`, floatTensor([filters, ...tensor.dims.slice(1).map(() => 1)], scales))
    widening.push(
      { op: 'Cast', inputs: [`${name}/bytes`], outputs: [`${name}/wide`], attributes: { to: { i: 1 } } },
      { op: 'Mul', inputs: [`${name}/wide`, `${name}/scale`], outputs: [name], attributes: {} },
    )
  }
  return { ...graph, initialisers, nodes: [...widening, ...graph.nodes] }
}

/** Convolutions that mix channels compute in bytes, with a scale that is determined in each run. Everything else is unchanged. */
export function computeInBytes(graph: Graph): Graph {
  const initialisers = new Map(graph.initialisers)
  const nodes = graph.nodes.flatMap((node): Node[] => {
    const weights = graph.initialisers.get(node.inputs[1] ?? '')
    const group = node.attributes.group?.i ?? 1
    if (node.op !== 'Conv' || weights?.type !== 'float32' || group !== 1) return [node]
    const [output = ''] = node.outputs
    const largest = weights.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const scale = largest / 127
    const data = Int8Array.from(weights.data, (value) => Math.round(value / scale))
    initialisers.set(`${output}/w8`, { type: 'int8', dims: weights.dims, data })
    initialisers.set(`${output}/wscale`, floatTensor([], [scale]))
    const [x = '', , bias] = node.inputs
    const make = (op: string, inputs: string[], outputs: string[], attributes = {}): Node => ({
      op,
      inputs,
      outputs,
      attributes,
    })
    const wide = bias === undefined ? output : `${output}/unbiased`
    if (bias !== undefined) {
      const values = graph.initialisers.get(bias)
      if (values?.type === 'float32')
        initialisers.set(`${output}/bias`, floatTensor([values.data.length, 1, 1], values.data))
      else return [node]
    }
    return [
      make('DynamicQuantizeLinear', [x], [`${output}/x8`, `${output}/xscale`, `${output}/xzero`]),
      make(
        'ConvInteger',
        [`${output}/x8`, `${output}/w8`, `${output}/xzero`],
        [`${output}/sum`],
        node.attributes,
      ),
      make('Cast', [`${output}/sum`], [`${output}/float`], { to: { i: 1 } }),
      make('Mul', [`${output}/xscale`, `${output}/wscale`], [`${output}/scale`]),
      make('Mul', [`${output}/float`, `${output}/scale`], [wide]),
      ...(bias === undefined ? [] : [make('Add', [wide, `${output}/bias`], [output])]),
    ]
  })
  return { ...graph, initialisers, nodes }
}
