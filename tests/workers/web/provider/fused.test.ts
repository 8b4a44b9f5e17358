import { expect, test } from 'vitest'
import { floatTensor, type Graph, type Node } from '#workers/onnx/graph.ts'
import { constantsOf } from '#workers/web/provider/constants.ts'
import { fuse } from '#workers/web/provider/fused.ts'

const node = (op: string, inputs: string[], output: string, group = 1): Node => ({
  op,
  inputs,
  outputs: [output],
  attributes: op === 'Conv' ? { group: { i: group } } : {},
})

function fusedOf(nodes: Node[], ...outputs: string[]) {
  const graph: Graph = {
    name: 'small',
    opset: 17,
    inputs: [],
    outputs: outputs.map((name) => ({ name, dims: [] })),
    nodes,
    initialisers: new Map([['w', floatTensor([1], [1])]]),
  }
  return fuse(graph, constantsOf(graph)).map(({ node, added, activation, output }) => [
    node.op,
    added,
    activation?.op,
    output,
  ])
}

test('a sum and its activation are fused with the product', () => {
  const nodes = [
    node('Conv', ['input', 'w'], 'a'),
    node('Add', ['input', 'a'], 'b'),
    node('PRelu', ['b', 'w'], 'c'),
  ]
  expect(fusedOf(nodes, 'c')).toEqual([['Conv', 'input', 'PRelu', 'c']])
})

test('a product that is added to a later value waits for that', () => {
  const nodes = [
    node('Conv', ['input', 'w'], 'a'),
    node('MaxPool', ['input'], 'b'),
    node('Add', ['a', 'b'], 'c'),
  ]
  expect(fusedOf(nodes, 'c')).toEqual([
    ['MaxPool', undefined, undefined, 'b'],
    ['Conv', 'b', undefined, 'c'],
  ])
})

test('a value with another reader, or that is a result, is written', () => {
  const nodes = [node('Conv', ['input', 'w'], 'a'), node('Relu', ['a'], 'b'), node('Add', ['a', 'b'], 'c')]
  expect(fusedOf(nodes, 'c')).toEqual([
    ['Conv', undefined, undefined, 'a'],
    ['Relu', undefined, undefined, 'b'],
    ['Add', undefined, undefined, 'c'],
  ])
  const result = [node('Conv', ['input', 'w'], 'a'), node('Relu', ['a'], 'b')]
  expect(fusedOf(result, 'a', 'b')).toEqual([
    ['Conv', undefined, undefined, 'a'],
    ['Relu', undefined, undefined, 'b'],
  ])
})

test('nothing is added to a depthwise convolution, and no activation is fused with a Mul', () => {
  const own = [node('Conv', ['input', 'w'], 'a', 4), node('Add', ['input', 'a'], 'b')]
  expect(fusedOf(own, 'b')).toEqual([
    ['Conv', undefined, undefined, 'a'],
    ['Add', undefined, undefined, 'b'],
  ])
  const product = [
    node('Mul', ['input', 'v'], 'a'),
    node('Add', ['input', 'a'], 'b'),
    node('Relu', ['b'], 'c'),
  ]
  expect(fusedOf(product, 'c')).toEqual([
    ['Mul', 'input', undefined, 'b'],
    ['Relu', undefined, undefined, 'c'],
  ])
})
