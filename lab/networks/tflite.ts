/** The parts of a TFLite file that a float network requires, with the field numbers from its published schema. */

import { floatTensor, type Tensor } from '../../workers/onnx/graph.ts'
import { fromHalf } from '../../workers/onnx/half.ts'
import { FlatTable } from './flatbuffer.ts'

interface LiteTensor {
  readonly dims: readonly number[]
  /** Set for weights, undefined for computed tensors. */
  readonly value?: Tensor
}

export interface LiteOperator {
  readonly code: number
  readonly inputs: readonly number[]
  readonly outputs: readonly number[]
  readonly options: FlatTable | undefined
}

export interface LiteModel {
  readonly tensors: readonly LiteTensor[]
  readonly operators: readonly LiteOperator[]
  readonly inputs: readonly number[]
  readonly outputs: readonly number[]
}

const FLOAT32 = 0
const FLOAT16 = 1
const INT32 = 2

export function readLiteModel(bytes: Uint8Array): LiteModel {
  const root = FlatTable.root(bytes)
  const subgraph = root.tables(2)[0]
  if (!subgraph) throw new Error('The TFLite file holds no network')
  // Old writers only set the one-byte code and new writers set both, so the larger one is correct.
  const codes = root.tables(1).map((code) => Math.max(code.byte(0), code.int(3)))
  const buffers = root.tables(4)
  return {
    tensors: subgraph.tables(0).map((tensor) => readTensor(tensor, buffers)),
    operators: subgraph.tables(3).map((operator) => ({
      code: codes[operator.int(0)] ?? -1,
      inputs: operator.ints(1),
      outputs: operator.ints(2),
      options: operator.table(4),
    })),
    inputs: subgraph.ints(1),
    outputs: subgraph.ints(2),
  }
}

function readTensor(table: FlatTable, buffers: readonly FlatTable[]): LiteTensor {
  const dims = table.ints(0)
  const data = buffers[table.int(2)]?.data(0) ?? new Uint8Array(0)
  if (data.length === 0) return { dims }
  return { dims, value: readValue(table.byte(1), dims, data) }
}

function readValue(type: number, dims: readonly number[], data: Uint8Array): Tensor {
  if (type === FLOAT32) return floatTensor(dims, new Float32Array(data.buffer))
  if (type === FLOAT16) return floatTensor(dims, Float32Array.from(new Uint16Array(data.buffer), fromHalf))
  if (type === INT32) return { type: 'int64', dims, data: Array.from(new Int32Array(data.buffer)) }
  throw new Error(`Unsupported TFLite tensor type ${type}`)
}
