import { expect, test } from 'vitest'
import { floatTensor, type Graph, type Node, type Tensor } from '#workers/onnx/graph.ts'
import { toHalf } from '#workers/onnx/half.ts'
import { constantsOf } from '#workers/web/provider/constants.ts'

const node = (op: string, inputs: string[], output: string): Node => ({
  op,
  inputs,
  outputs: [output],
  attributes: {},
})
const graphOf = (nodes: Node[], initialisers: Record<string, Tensor>): Graph => ({
  name: 'weights',
  opset: 17,
  inputs: [],
  outputs: [],
  nodes,
  initialisers: new Map(Object.entries(initialisers)),
})

test('half-precision weights are widened to their exact values', () => {
  const values = [0, 1, -1, 0.5, -2.25, 65_504, 2 ** -14, 3 * 2 ** -24]
  const data = Uint16Array.from(values, toHalf)
  const graph = graphOf([node('Cast', ['halves'], 'wide')], { halves: { type: 'float16', dims: [8], data } })
  expect([...constantsOf(graph).get('wide')!.data]).toEqual(values)
})

test('eight-bit weights are scaled', () => {
  const graph = graphOf(
    [
      node('Cast', ['bytes'], 'floats'),
      node('Mul', ['floats', 'scale'], 'scaled'),
      node('Add', ['scaled', 'least'], 'weights'),
    ],
    {
      bytes: { type: 'uint8', dims: [3], data: Uint8Array.of(0, 100, 255) },
      scale: floatTensor([], [0.5]),
      least: floatTensor([], [-8]),
    },
  )
  expect([...constantsOf(graph).get('weights')!.data]).toEqual([-8, 42, 119.5])
})

test('a value that depends on the input is not constant', () => {
  const graph = graphOf([node('Add', ['input', 'one'], 'sum')], { one: floatTensor([], [1]) })
  expect([...constantsOf(graph).keys()]).toEqual(['one'])
})

test('traces of dead channels are zeros, and slightly larger values stay', () => {
  const graph = graphOf([], { bias: floatTensor([4], [1e-20, -9e-16, 2e-15, -1]) })
  expect([...constantsOf(graph).get('bias')!.data]).toEqual([0, 0, Math.fround(2e-15), -1])
})

test('any other operation on weights is refused', () => {
  const graph = graphOf([node('Neg', ['one'], 'minus')], { one: floatTensor([1], [1]) })
  expect(() => constantsOf(graph)).toThrow('Neg of weights is not supported')
})
