import { describe, expect, test } from 'vitest'
import { floatTensor, type Graph, type Node } from '../../../models/build/graph.ts'
import { joinPRelus, subtractMean } from '../../../models/build/rewrite.ts'

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
  initialisers: new Map([['slope', floatTensor([2, 1, 1], [0.25, -0.5])]]),
})

const spelled = (bracket: readonly string[]): readonly Node[] => [
  node('Relu', ['input'], 'positive'),
  node('Abs', ['input'], 'size'),
  node('Sub', bracket, 'bracket'),
  node('Mul', ['slope', 'bracket'], 'negative'),
  node('Add', ['positive', 'negative'], 'out'),
]

describe('a PReLU that is spelled out', () => {
  test('becomes one node with twice the slope', () => {
    const { nodes, initialisers } = joinPRelus(graphOf(spelled(['input', 'size'])))
    expect(nodes).toEqual([node('PRelu', ['input', 'out/slope'], 'out')])
    expect([...initialisers]).toEqual([['out/slope', floatTensor([2, 1, 1], [0.5, -1])]])
  })

  test('is left alone where the bracket is another', () => {
    expect(joinPRelus(graphOf(spelled(['size', 'input']))).nodes).toHaveLength(5)
  })
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
