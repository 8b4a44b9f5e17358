/** The parts of ONNX's messages that our models use. Doc strings are deliberately left out. */
import type { Field, Schema } from './protobuf.ts'

const int = (name: string): Field => ({ name, kind: 'int' })
const float = (name: string): Field => ({ name, kind: 'float' })
const text = (name: string): Field => ({ name, kind: 'text' })
const bytes = (name: string): Field => ({ name, kind: 'bytes' })
const message = (name: string, of: () => Schema): Field => ({ name, kind: 'message', of })
const many = (field: Field): Field => ({ ...field, repeated: true })

const tensor: Schema = {
  1: many(int('dims')),
  2: int('dataType'),
  4: many(float('floatData')),
  5: many(int('int32Data')),
  7: many(int('int64Data')),
  8: text('name'),
  9: bytes('rawData'),
}

const attribute: Schema = {
  1: text('name'),
  2: float('f'),
  3: int('i'),
  4: text('s'),
  5: message('t', () => tensor),
  7: many(float('floats')),
  8: many(int('ints')),
  20: int('type'),
}

const node: Schema = {
  1: many(text('input')),
  2: many(text('output')),
  3: text('name'),
  4: text('opType'),
  5: many(message('attribute', () => attribute)),
}

const dimension: Schema = { 1: int('value'), 2: text('param') }
const shape: Schema = { 1: many(message('dim', () => dimension)) }
const tensorType: Schema = { 1: int('elemType'), 2: message('shape', () => shape) }
const type: Schema = { 1: message('tensorType', () => tensorType) }
const valueInfo: Schema = { 1: text('name'), 2: message('type', () => type) }

const graph: Schema = {
  1: many(message('node', () => node)),
  2: text('name'),
  5: many(message('initializer', () => tensor)),
  11: many(message('input', () => valueInfo)),
  12: many(message('output', () => valueInfo)),
}

const operatorSet: Schema = { 1: text('domain'), 2: int('version') }

export const modelSchema: Schema = {
  1: int('irVersion'),
  2: text('producerName'),
  7: message('graph', () => graph),
  8: many(message('opsetImport', () => operatorSet)),
}
