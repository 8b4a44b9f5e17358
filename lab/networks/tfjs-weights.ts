/** Reads TensorFlow.js weights: a manifest with each tensor's position in a binary file. Some tensors are stored as bytes. */
import { countElements, floatTensor, permute } from '../../workers/onnx/graph.ts'
import { keep, type PackedWeights, packBytes } from './pack-weights.ts'

interface Entry {
  readonly name: string
  readonly shape: readonly number[]
  readonly quantization?: { readonly dtype: string; readonly scale: number; readonly min: number }
}

/** Packs the tensor with a given name for a graph, with its axes in the given order. */
export type TakeWeights = (name: string, order?: readonly number[]) => PackedWeights

export function readWeights(manifest: Uint8Array, binary: Uint8Array): TakeWeights {
  const groups = JSON.parse(new TextDecoder().decode(manifest)) as { weights: Entry[] }[]
  const entries = new Map<string, { entry: Entry; at: number }>()
  let at = 0
  for (const entry of groups.flatMap((group) => group.weights)) {
    entries.set(entry.name, { entry, at })
    at += countElements(entry.shape) * (entry.quantization ? 1 : 4)
  }
  if (at !== binary.length) throw new Error('The weights do not fill their file')
  return (name, order) => {
    const found = entries.get(name)
    if (!found) throw new Error(`No weights named ${name}`)
    return packEntry(found.entry, binary.subarray(found.at), order ?? [...found.entry.shape.keys()])
  }
}

function packEntry(entry: Entry, bytes: Uint8Array, order: readonly number[]): PackedWeights {
  const { name, shape, quantization } = entry
  const dims = order.map((axis) => shape[axis] ?? 1)
  const count = countElements(shape)
  if (!quantization) {
    // A copy, since typed arrays must start at a multiple of their element size.
    const values = new Float32Array(new Uint8Array(bytes.subarray(0, count * 4)).buffer)
    const turned = permute(values, shape, order, (length) => new Float32Array(length))
    return keep(name, floatTensor(dims, turned))
  }
  if (quantization.dtype !== 'uint8') throw new Error(`${name} is packed as ${quantization.dtype}`)
  const data = permute(bytes.subarray(0, count), shape, order, (length) => new Uint8Array(length))
  return packBytes(name, [dims, data], quantization.scale, quantization.min)
}
