import { describe, expect, it } from 'vitest'
import { packWeights } from '#lab/networks/pack-weights.ts'
import { floatTensor, type Graph, intTensor } from '#workers/onnx/graph.ts'
import { fromHalf, toHalf } from '#workers/onnx/half.ts'
import { decodeModel, encodeModel } from '#workers/onnx/onnx.ts'
import { decodeMessage, encodeMessage, type Schema } from '#workers/onnx/protobuf.ts'

const schema: Schema = {
  1: { name: 'text', kind: 'text' },
  2: { name: 'numbers', kind: 'int', repeated: true },
  3: { name: 'fractions', kind: 'float', repeated: true },
  4: { name: 'inner', kind: 'message', repeated: true, of: () => schema },
}

const graph: Graph = {
  name: 'sum',
  opset: 17,
  inputs: [{ name: 'input', dims: ['N', 2] }],
  outputs: [{ name: 'total', dims: ['N', 1] }],
  nodes: [
    { op: 'MatMul', inputs: ['input', 'weights'], outputs: ['raw'], attributes: {} },
    { op: 'LeakyRelu', inputs: ['raw'], outputs: ['total'], attributes: { alpha: { f: 0.5 } } },
    {
      op: 'Made',
      inputs: ['', 'shape'],
      outputs: ['made'],
      attributes: { mode: { s: 'linear' }, axis: { i: -1 }, pads: { ints: [0, 300, -2] } },
    },
  ],
  initialisers: new Map([
    ['weights', floatTensor([2, 1], [1, -2.5])],
    ['shape', intTensor([0, -1, 70_000])],
  ]),
}

describe('protobuf', () => {
  it('reads what it wrote', () => {
    const message = {
      text: 'é',
      numbers: [0, 127, 128, -1, 2 ** 40],
      fractions: [0.5, -8],
      inner: [{ text: '' }, { numbers: [7] }],
    }
    expect(decodeMessage(schema, encodeMessage(schema, message))).toEqual(message)
  })

  it('writes the known bytes of the wire format', () => {
    expect([...encodeMessage(schema, { text: 'hi', numbers: [150] })]).toEqual([
      10, 2, 104, 105, 18, 2, 150, 1,
    ])
  })

  it('reads repeated numbers that are not packed, and skips unknown fields', () => {
    expect(decodeMessage(schema, Uint8Array.of(16, 1, 120, 9, 16, 2))).toEqual({ numbers: [1, 2] })
  })

  it('refuses a field that runs past the end', () => {
    expect(() => decodeMessage(schema, Uint8Array.of(10, 9, 104))).toThrow('past its end')
  })
})

describe('ONNX', () => {
  it('reads what it wrote', () => {
    expect(decodeModel(encodeModel(graph))).toEqual(graph)
  })

  it('keeps weights packed in half precision separate from the nodes that widen them', () => {
    const weights = floatTensor(
      [8, 8],
      Array.from({ length: 64 }, (_, index) => index / 64),
    )
    const packed = packWeights({ ...graph, initialisers: new Map([['weights', weights]]) })
    const again = decodeModel(encodeModel(packed))
    expect(again.initialisers.get('weights/half')?.type).toBe('float16')
    expect(again.nodes[0]).toMatchObject({ op: 'Cast', inputs: ['weights/half'], outputs: ['weights'] })
  })
})

describe('half precision', () => {
  it('restores every half exactly', () => {
    const bits = Array.from({ length: 0x7c01 }, (_, value) => value)
    expect(bits.every((value) => toHalf(fromHalf(value)) === value)).toBe(true)
    expect(bits.every((value) => toHalf(fromHalf(value | 0x8000)) === (value | 0x8000))).toBe(true)
  })

  it('rounds to the nearest, ties to even', () => {
    expect(fromHalf(toHalf(1 + 1 / 2048))).toBe(1)
    expect(fromHalf(toHalf(1 + 3 / 2048))).toBe(1 + 2 / 1024)
    expect(fromHalf(toHalf(1e6))).toBe(Number.POSITIVE_INFINITY)
    expect(fromHalf(toHalf(1e-9))).toBe(0)
  })
})
