/** Reads a TensorFlow.js graph model: its nodes in dependency order, and its weights by name. */
import { countElements, floatTensor, type Tensor } from '../../workers/onnx/graph.ts'

/** As stored in the format: a number or any kind of flag, words in base64, and lists one level down. */
interface Attribute {
  readonly i?: string
  readonly f?: number
  readonly b?: boolean
  readonly s?: string
  readonly list?: { readonly i?: readonly string[]; readonly s?: readonly string[] }
  readonly shape?: { readonly dim?: readonly { readonly size: string }[] }
}

export interface FlowNode {
  readonly name: string
  readonly op: string
  readonly input?: readonly string[]
  readonly attr?: Readonly<Record<string, Attribute>>
}

export interface FlowModel {
  readonly nodes: readonly FlowNode[]
  readonly weights: ReadonlyMap<string, Tensor>
}

interface Entry {
  readonly name: string
  readonly shape: readonly number[]
  readonly dtype: string
  readonly quantization?: unknown
}

interface ModelFile {
  readonly modelTopology: { readonly node: readonly FlowNode[] }
  readonly weightsManifest: readonly { readonly weights: readonly Entry[] }[]
}

export function readFlowModel(model: Uint8Array, binary: Uint8Array): FlowModel {
  const file = JSON.parse(new TextDecoder().decode(model)) as ModelFile
  const weights = new Map<string, Tensor>()
  let at = 0
  for (const entry of file.weightsManifest.flatMap((group) => group.weights)) {
    const length = 4 * countElements(entry.shape)
    // A copy, since typed arrays must start at a multiple of their element size.
    weights.set(entry.name, readEntry(entry, new Uint8Array(binary.subarray(at, at + length))))
    at += length
  }
  if (at !== binary.length) throw new Error('The weights do not fill their file')
  return { nodes: sortNodes(file.modelTopology.node), weights }
}

function readEntry({ name, shape, dtype, quantization }: Entry, bytes: Uint8Array): Tensor {
  if (quantization) throw new Error(`${name} is packed, which is not read`)
  if (dtype === 'float32') return floatTensor(shape, new Float32Array(bytes.buffer))
  if (dtype === 'int32') return { type: 'int64', dims: shape, data: Array.from(new Int32Array(bytes.buffer)) }
  throw new Error(`${name} is of the unsupported type ${dtype}`)
}

/** The format does not guarantee an order. Sorts the nodes so that each one comes after those that it depends on. */
function sortNodes(nodes: readonly FlowNode[]): FlowNode[] {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const sorted = new Set<FlowNode>()
  const visit = (node: FlowNode | undefined): void => {
    if (!node || sorted.has(node)) return
    for (const input of node.input ?? []) visit(byName.get(input))
    sorted.add(node)
  }
  for (const node of nodes) visit(node)
  return [...sorted]
}

/** An attribute's words, such as the operations that were fused into this one. */
export function wordsOf({ attr }: FlowNode, name: string): string[] {
  const found = attr?.[name]
  const words = found?.list?.s ?? (found?.s === undefined ? [] : [found.s])
  return words.map((word) => Buffer.from(word, 'base64').toString('utf8'))
}

/** A list of integers, such as the strides. */
export function numbersOf({ attr }: FlowNode, name: string): number[] {
  return (attr?.[name]?.list?.i ?? []).map(Number)
}

export function shapeOf({ attr }: FlowNode): number[] {
  return (attr?.shape?.shape?.dim ?? []).map(({ size }) => Number(size))
}
