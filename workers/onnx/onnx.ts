/** Converts graphs to ONNX bytes and back. */
import { type Attribute, countElements, type Graph, type Node, type Port, type Tensor } from './graph.ts'
import { modelSchema } from './onnx-schema.ts'
import { decodeMessage, encodeMessage, type Message } from './protobuf.ts'

const DATA_TYPES = { float32: 1, uint8: 2, int8: 3, int64: 7, float16: 10 } as const
const ATTRIBUTE_TYPES = { f: 1, i: 2, s: 3, t: 4, floats: 6, ints: 7 } as const

export function encodeModel(graph: Graph): Uint8Array {
  return encodeMessage(modelSchema, {
    irVersion: 8,
    producerName: 'selfsame',
    opsetImport: [{ domain: '', version: graph.opset }],
    graph: {
      name: graph.name,
      node: graph.nodes.map(encodeNode),
      initializer: [...graph.initialisers].map(([name, tensor]) => encodeTensor(name, tensor)),
      input: graph.inputs.map(encodePort),
      output: graph.outputs.map(encodePort),
    },
  })
}

function encodeNode(node: Node): Message {
  return {
    input: node.inputs,
    output: node.outputs,
    opType: node.op,
    attribute: Object.entries(node.attributes).map(([name, value]) => encodeAttribute(name, value)),
  }
}

function encodeAttribute(name: string, value: Attribute): Message {
  const kind = Object.keys(value)[0] as keyof typeof ATTRIBUTE_TYPES
  const body = value.t ? encodeTensor('', value.t) : value[kind]
  return { name, [kind]: body, type: ATTRIBUTE_TYPES[kind] }
}

function encodePort(port: Port): Message {
  const dim = port.dims.map((size) => (typeof size === 'string' ? { param: size } : { value: size }))
  return { name: port.name, type: { tensorType: { elemType: DATA_TYPES.float32, shape: { dim } } } }
}

function encodeTensor(name: string, tensor: Tensor): Message {
  const { type } = tensor
  return { dims: tensor.dims, dataType: DATA_TYPES[type], name, rawData: encodeData(tensor) }
}

function encodeData(tensor: Tensor): Uint8Array {
  const data = tensor.type === 'int64' ? BigInt64Array.from(tensor.data, BigInt) : tensor.data
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}

export function decodeModel(bytes: Uint8Array): Graph {
  const model = decodeMessage(modelSchema, bytes)
  const graph = model.graph as Message
  const initialisers = new Map(
    list(graph.initializer).map((item) => [item.name as string, decodeTensor(item)]),
  )
  const opset = list(model.opsetImport).find((item) => !item.domain)?.version as number
  return {
    name: (graph.name as string) ?? '',
    opset,
    // Old models also list their weights as inputs.
    inputs: list(graph.input)
      .map(decodePort)
      .filter((port) => !initialisers.has(port.name)),
    outputs: list(graph.output).map(decodePort),
    nodes: list(graph.node).map(decodeNode),
    initialisers,
  }
}

function list(value: unknown): Message[] {
  return (value ?? []) as Message[]
}

function decodeNode(node: Message): Node {
  const attributes = list(node.attribute).map((item) => [item.name, decodeAttribute(item)])
  return {
    op: node.opType as string,
    inputs: (node.input ?? []) as string[],
    outputs: (node.output ?? []) as string[],
    attributes: Object.fromEntries(attributes),
  }
}

function decodeAttribute(item: Message): Attribute {
  if (item.t) return { t: decodeTensor(item.t as Message) }
  const byType = Object.entries(ATTRIBUTE_TYPES).find(([, type]) => type === item.type)
  if (!byType) throw new Error(`The attribute ${String(item.name)} is of an unknown type`)
  const empty = byType[0] === 's' ? '' : byType[0].endsWith('s') ? [] : 0
  return { [byType[0]]: item[byType[0]] ?? empty }
}

function decodePort(port: Message): Port {
  const tensorType = ((port.type as Message)?.tensorType ?? {}) as Message
  const dim = list((tensorType.shape as Message)?.dim)
  return {
    name: port.name as string,
    dims: dim.map((size) => (size.param as string) || ((size.value as number) ?? 0)),
  }
}

function decodeTensor(item: Message): Tensor {
  const dims = (item.dims ?? []) as number[]
  // A copy, since the message's bytes may not be aligned to the element size.
  const raw = item.rawData ? new Uint8Array(item.rawData as Uint8Array) : undefined
  const type = item.dataType as number
  if (type === DATA_TYPES.float32) {
    const data = raw ? new Float32Array(raw.buffer) : Float32Array.from((item.floatData ?? []) as number[])
    return checkLength({ type: 'float32', dims, data })
  }
  if (type === DATA_TYPES.int64) {
    const data = raw
      ? Array.from(new BigInt64Array(raw.buffer), Number)
      : ((item.int64Data ?? []) as number[])
    return checkLength({ type: 'int64', dims, data })
  }
  if (raw && type === DATA_TYPES.float16) return { type: 'float16', dims, data: new Uint16Array(raw.buffer) }
  if (raw && type === DATA_TYPES.uint8) return { type: 'uint8', dims, data: raw }
  if (raw && type === DATA_TYPES.int8) return { type: 'int8', dims, data: new Int8Array(raw.buffer) }
  throw new Error(`The tensor ${String(item.name)} has the unsupported data type ${type}`)
}

function checkLength(tensor: Tensor): Tensor {
  if (tensor.data.length !== countElements(tensor.dims)) throw new Error('A tensor does not fill its shape')
  return tensor
}
