/** Reads TensorFlow.js weights: a manifest that says where each tensor lies in a binary file, some of them as bytes. */
import { type Tensor, countElements, floatTensor, permute } from './graph.ts'
import { type Packed, packShippedBytes } from './pack-weights.ts'

interface Entry {
  readonly name: string
  readonly shape: readonly number[]
  readonly quantization?: { readonly dtype: string; readonly scale: number; readonly min: number }
}

/** Packs the tensor of a name for a graph, its axes in the order given. */
export type TakeWeights = (name: string, order?: readonly number[]) => Packed

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
    return takeEntry(found.entry, binary.subarray(found.at), order)
  }
}

function takeEntry(entry: Entry, bytes: Uint8Array, order = entry.shape.map((_, axis) => axis)): Packed {
  const dims = order.map((axis) => entry.shape[axis] ?? 1)
  const count = countElements(dims)
  const { name, quantization } = entry
  if (!quantization) {
    const data = new Float32Array(new Uint8Array(bytes.subarray(0, count * 4)).buffer)
    return {
      initialisers: [
        [
          name,
          floatTensor(
            dims,
            permute(data, entry.shape, order, (n) => new Float32Array(n)),
          ),
        ],
      ],
      nodes: [],
    }
  }
  if (quantization.dtype !== 'uint8') throw new Error(`${name} is packed as ${quantization.dtype}`)
  const data = permute(bytes.subarray(0, count), entry.shape, order, (n) => new Uint8Array(n))
  const tensor: Tensor = { type: 'uint8', dims, data }
  return packShippedBytes(name, tensor, quantization.scale, quantization.min)
}
