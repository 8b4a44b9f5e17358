import { describe, expect, test } from 'vitest'
import manifest from '#models/weights/manifest.json' with { type: 'json' }
import { loadNativeLibrary } from '#workers/node/native-library.ts'
import { nativeGraph } from '#workers/node/onnx/native-graph.ts'
import { readWeights } from '#workers/node/weights.ts'
import { floatTensor, type Graph, intTensor, type Node } from '#workers/onnx/graph.ts'
import { decodeModel, encodeModel } from '#workers/onnx/onnx.ts'

const ort = await loadNativeLibrary()

type Outputs = Record<string, { data: Float32Array }>

async function run(model: Uint8Array, dims: readonly number[], data: Float32Array): Promise<Outputs> {
  const session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1, logSeverityLevel: 3 })
  const outputs = await session.run({ input: new ort.Tensor('float32', data, dims) })
  await session.release()
  return outputs as unknown as Outputs
}

/** As a share of the largest value. */
function largestDifference(left: Outputs, right: Outputs): number {
  const differences = Object.entries(left).map(([name, { data }]) => {
    const size = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    return data.reduce((most, value, i) => Math.max(most, Math.abs(value - right[name]!.data[i]!)), 0) / size
  })
  return Math.max(...differences)
}

function values(count: number, seed = 1): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => Math.sin(seed + i * 1.7) + 0.3 * Math.sin(i / 31))
}

describe('a network for the native runtime', () => {
  const names = Object.keys(manifest.models) as (keyof typeof manifest.models)[]

  test.each(names)('answers as the file of %s does', async (name) => {
    const model = await readWeights(name)
    const { size, channels, scale, offset } = manifest.models[name].input
    const dims = [2, channels, size, size]
    const input = values(2 * channels * size * size).map((value) => (128 + 90 * value) * scale + offset)
    const rewritten = nativeGraph(model)
    expect(decodeModel(rewritten).nodes.map(({ op }) => op)).not.toContain('PRelu')
    // Processors add in different orders: up to 8e-6 was seen.
    expect(largestDifference(await run(model, dims, input), await run(rewritten, dims, input))).toBeLessThan(
      2e-5,
    )
  })

  test.each(['fr-liveness', 'blazeface-short'] as const)(
    'pads inner channels to whole blocks: %s',
    async (name) => {
      const { nodes, initialisers } = decodeModel(nativeGraph(await readWeights(name)))
      const cast = new Map(nodes.map(({ inputs, outputs }) => [outputs[0], inputs[0]]))
      const convolutions = nodes.filter(({ op }) => op === 'Conv')
      const inner = convolutions.filter(({ outputs }) =>
        nodes.some(({ op, inputs }) => (op === 'Conv' || op === 'Relu') && inputs.includes(outputs[0]!)),
      )
      const channels = inner.map(({ inputs: [, name] }) => {
        const tensor = initialisers.get(name!) ?? initialisers.get(cast.get(name!)!)
        return tensor!.dims[0]!
      })
      expect(channels.length).toBeGreaterThan(5)
      expect(channels.filter((count) => count % 16 !== 0)).toEqual([])
      expect(nodes.map(({ op }) => op)).not.toContain('Pad')
    },
  )

  test.each([
    ['fewer than a block', 2],
    ['more than a block', 20],
  ])('adds channels of zeros, %s', async (_, more) => {
    const graph = network([0.1, 0.2, 0.3], paddedThen('wide'))
    const initialisers = new Map([
      ...graph.initialisers,
      ['amounts', intTensor([0, 0, 0, 0, 0, more, 0, 0])],
      ['wide', floatTensor([5, 3 + more, 1, 1], values(5 * (3 + more), 4))],
    ])
    await expectSame({ ...graph, initialisers })
    const { nodes } = decodeModel(nativeGraph(encodeModel({ ...graph, initialisers })))
    expect(nodes.map(({ op }) => op)).not.toContain('Pad')
  })

  test('keeps an added rim of pixels', async () => {
    const graph = network([0.1, 0.2, 0.3], paddedThen('square'))
    const initialisers = new Map([
      ...graph.initialisers,
      ['amounts', intTensor([0, 0, 1, 1, 0, 0, 1, 1])],
      ['square', floatTensor([5, 3, 3, 3], values(135, 4))],
    ])
    await expectSame({ ...graph, initialisers })
  })

  test.each([
    ['none above one', [0.25, -0.5, 1]],
    ['one above one', [0.25, 1.75, -3]],
  ])('keeps slopes of which %s', async (_, slopes) => {
    await expectSame(network(slopes, []))
  })

  test('is unchanged if zeros would reach nodes that do not expect them', async () => {
    const reshaped: Node[] = [
      { op: 'PRelu', inputs: ['first', 'slopes'], outputs: ['bent'], attributes: {} },
      { op: 'Softmax', inputs: ['bent'], outputs: ['shares'], attributes: { axis: { i: 1 } } },
      { op: 'Conv', inputs: ['shares', 'last'], outputs: ['output'], attributes: {} },
    ]
    await expectSame(network([0.1, 0.2, 0.3], reshaped))
  })
})

async function expectSame(graph: Graph): Promise<void> {
  const model = encodeModel(graph)
  const input = values(2 * 9 * 9, 5)
  const [plain, rewritten] = [
    await run(model, [1, 2, 9, 9], input),
    await run(nativeGraph(model), [1, 2, 9, 9], input),
  ]
  expect(largestDifference(plain, rewritten)).toBeLessThan(2e-6)
}

/** Pads the input by `amounts` and then applies a convolution with those weights. */
function paddedThen(weights: string): Node[] {
  return [
    { op: 'Pad', inputs: ['first', 'amounts'], outputs: ['padded'], attributes: {} },
    { op: 'Conv', inputs: ['padded', weights], outputs: ['output'], attributes: {} },
  ]
}

/** Two channels become three, with slopes, added to themselves, then depthwise, and finally five. */
function network(slopes: readonly number[], instead: readonly Node[]): Graph {
  const body: Node[] = [
    { op: 'PRelu', inputs: ['first', 'slopes'], outputs: ['bent'], attributes: {} },
    { op: 'Conv', inputs: ['bent', 'each'], outputs: ['single'], attributes: { group: { i: 3 } } },
    { op: 'Add', inputs: ['single', 'bent'], outputs: ['sum'], attributes: {} },
    { op: 'Conv', inputs: ['sum', 'last'], outputs: ['output'], attributes: {} },
  ]
  return {
    name: 'small',
    opset: 17,
    inputs: [{ name: 'input', dims: ['N', 2, 9, 9] }],
    outputs: [{ name: 'output', dims: ['N', 5, 9, 9] }],
    nodes: [
      { op: 'Conv', inputs: ['input', 'start', 'bias'], outputs: ['first'], attributes: {} },
      ...(instead.length > 0 ? instead : body),
    ],
    initialisers: new Map([
      ['start', floatTensor([3, 2, 1, 1], values(6))],
      ['bias', floatTensor([3], values(3))],
      ['slopes', floatTensor([3, 1, 1], slopes)],
      ['each', floatTensor([3, 1, 1, 1], values(3, 2))],
      ['last', floatTensor([5, 3, 1, 1], values(15, 3))],
    ]),
  }
}
