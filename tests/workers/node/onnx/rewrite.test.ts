import { describe, expect, test } from 'vitest'
import { openReshapes, subtractMean } from '#workers/node/onnx/rewrite.ts'
import { floatTensor, type Graph, intTensor, type Node } from '#workers/onnx/graph.ts'

const node = (op: string, inputs: readonly string[], output: string): Node => ({
  op,
  inputs,
  outputs: [output],
  attributes: {},
})

const graphOf = (nodes: readonly Node[]): Graph => ({
  name: 'test',
  opset: 17,
  inputs: [{ name: 'input', dims: [1, 2, 4, 4] }],
  outputs: [{ name: 'out', dims: [1, 2, 4, 4] }],
  nodes,
  initialisers: new Map(),
})

describe('subtractMean', () => {
  test('subtracts the mean before anything else reads the input', () => {
    const { nodes, initialisers } = subtractMean(graphOf([node('Relu', ['input'], 'out')]), [10, 20])
    expect(nodes.map(({ op }) => op)).toEqual(['Sub', 'Relu'])
    expect(nodes[0]?.inputs[0]).toBe('input')
    expect(nodes[1]?.inputs).toEqual(nodes[0]?.outputs)
    expect(initialisers.get(nodes[0]?.inputs[1] ?? '')).toEqual(floatTensor([1, 2, 1, 1], [10, 20]))
  })
})

describe('openReshapes', () => {
  const outputs = [{ name: 'rows', dims: [1, 'A', 4] }]

  test('lets a network take any size if rows of several layers are joined', () => {
    const nodes = [
      node('Reshape', ['input', 'computed'], 'first'),
      node('Reshape', ['input', 'computed too'], 'second'),
      node('Concat', ['first', 'second'], 'rows'),
    ]
    const { nodes: opened, initialisers } = openReshapes({ ...graphOf(nodes), outputs })
    const shape = opened[0]!.inputs[1]!
    expect(opened.map(({ inputs }) => inputs[1])).toEqual([shape, shape, 'second'])
    expect(initialisers.get(shape)).toEqual(intTensor([0, -1, 4]))
  })

  test('leaves every other one unchanged', () => {
    const nodes = [node('Reshape', ['input', 'fixed'], 'rows')]
    expect(openReshapes({ ...graphOf(nodes), outputs }).nodes).toEqual(nodes)
  })
})
