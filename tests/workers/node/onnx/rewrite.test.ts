import { describe, expect, test } from 'vitest'
import { subtractMean } from '#workers/node/onnx/rewrite.ts'
import { floatTensor, type Graph, type Node } from '#workers/onnx/graph.ts'

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
  test('takes the mean off before anything else looks at the input', () => {
    const { nodes, initialisers } = subtractMean(graphOf([node('Relu', ['input'], 'out')]), [10, 20])
    expect(nodes.map(({ op }) => op)).toEqual(['Sub', 'Relu'])
    expect(nodes[0]?.inputs[0]).toBe('input')
    expect(nodes[1]?.inputs).toEqual(nodes[0]?.outputs)
    expect(initialisers.get(nodes[0]?.inputs[1] ?? '')).toEqual(floatTensor([1, 2, 1, 1], [10, 20]))
  })
})
