import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PageModelName } from '#models/networks/session.ts'
import { randomNumbers } from '#shared/random-numbers.ts'
import { loadNativeLibrary } from '#workers/node/native-library.ts'
import {
  type Attribute,
  floatTensor,
  type Graph,
  intTensor,
  type Node,
  type Tensor,
} from '#workers/onnx/graph.ts'
import { encodeModel } from '#workers/onnx/onnx.ts'
import { openKernel } from '#workers/web/provider/kernel/kernel.ts'
import { openNetwork } from '#workers/web/provider/network.ts'

const ort = await loadNativeLibrary()
const random = randomNumbers(7)
const noise = (dims: readonly number[]) =>
  floatTensor(
    dims,
    Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => 2 * random() - 1),
  )

/** Newer versions of Node enable these instructions by default. */
beforeAll(() => {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd')
})

const kinds = ['plain', 'relaxed'] as const

/** The largest difference from another runtime's answers, as a fraction of each answer's largest value. */
async function farthest(
  model: Uint8Array,
  dims: readonly number[],
  kind: (typeof kinds)[number],
): Promise<number> {
  const { data } = noise(dims)
  const session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1 })
  const wanted = await session.run({ input: new ort.Tensor('float32', data, dims) })
  const network = openNetwork(openKernel(kind), model)
  await network.run({ data: data.map((value) => 3 - value), dims }) // leftovers from another picture must not matter
  const found = await network.run({ data, dims })
  expect(Object.keys(found).sort()).toEqual([...session.outputNames].sort())
  return Math.max(
    ...Object.entries(wanted).map(([name, { data, dims }]) => {
      expect(found[name]!.dims).toEqual([...dims])
      const values = data as Float32Array
      const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1e-6)
      return Math.max(...values.map((value, i) => Math.abs(value - found[name]!.data[i]!))) / most
    }),
  )
}

const node = (
  op: string,
  inputs: string[],
  output: string,
  attributes: Record<string, Attribute> = {},
): Node => ({
  op,
  inputs,
  outputs: [output],
  attributes,
})
const window = (kernel: number, stride: number, pads: number[], group = 1) => ({
  kernel_shape: { ints: [kernel, kernel] },
  strides: { ints: [stride, stride] },
  pads: { ints: pads },
  group: { i: group },
})

interface Small {
  readonly nodes: Node[]
  readonly weights?: Record<string, Tensor>
  readonly size?: readonly number[]
  readonly out: readonly (number | string)[]
}

function modelOf({ nodes, weights = {}, size = [3, 13, 11], out }: Small): Uint8Array {
  const graph: Graph = {
    name: 'small',
    opset: 17,
    inputs: [{ name: 'input', dims: ['N', ...size] }],
    outputs: [{ name: 'out', dims: ['N', ...out] }],
    nodes,
    initialisers: new Map(Object.entries(weights)),
  }
  return encodeModel(graph)
}

/** Ends a network the way the product's networks end, with one number per channel. */
const ended = (from: string): Node[] => [
  node('GlobalAveragePool', [from], 'means'),
  node('Flatten', ['means'], 'out', { axis: { i: 1 } }),
]
const pixels = (count: number, channels: number): { nodes: Node[]; weights: Record<string, Tensor> } => ({
  nodes: [
    node('Transpose', ['last'], 'turned', { perm: { ints: [0, 2, 3, 1] } }),
    node('Reshape', ['turned', 'shape'], 'out'),
  ],
  weights: { shape: intTensor([0, count, channels]) },
})

const convolved = (
  channels: number,
  kernel: number,
  stride: number,
  pads: number[],
  height: number,
  width: number,
): Small => {
  const last = pixels(height * width, channels)
  return {
    nodes: [node('Conv', ['input', 'w', 'b'], 'last', window(kernel, stride, pads)), ...last.nodes],
    weights: { w: noise([channels, 3, kernel, kernel]), b: noise([channels]), ...last.weights },
    out: [height * width, channels],
  }
}

const ownChannel = (kernel: number, stride: number, pads: number[], height: number, width: number): Small => {
  const last = pixels(height * width, 6)
  return {
    nodes: [
      node('Conv', ['input', 'w'], 'made', window(kernel, stride, pads, 6)),
      node('PRelu', ['made', 'slopes'], 'last'),
      ...last.nodes,
    ],
    weights: { w: noise([6, 1, kernel, kernel]), slopes: noise([6, 1, 1]), ...last.weights },
    size: [6, 13, 11],
    out: [height * width, 6],
  }
}

const pool = (kernel: number, stride: number, pads: number[]) => {
  const { group, ...rest } = window(kernel, stride, pads)
  return rest
}
const one = window(1, 1, [0, 0, 0, 0])
const cases: Readonly<Record<string, Small>> = {
  'a product of every pixel, with an odd number of channels': convolved(7, 1, 1, [0, 0, 0, 0], 13, 11),
  'every other pixel': convolved(8, 1, 2, [0, 0, 0, 0], 7, 6),
  'windows of three padded on all sides': convolved(12, 3, 1, [1, 1, 1, 1], 13, 11),
  'windows of three in steps of two padded at the end': convolved(5, 3, 2, [0, 0, 1, 1], 6, 5),
  'windows of five in steps of two': convolved(24, 5, 2, [1, 1, 2, 2], 6, 5),
  'each channel by itself': ownChannel(3, 1, [1, 1, 1, 1], 13, 11),
  'each channel by itself without padding': ownChannel(3, 1, [0, 0, 0, 0], 11, 9),
  'each channel by itself in steps of two': ownChannel(3, 2, [0, 0, 1, 1], 6, 5),
  'each channel by itself in steps of two, padded before': ownChannel(3, 2, [1, 1, 1, 1], 7, 6),
  'each channel by itself, windows of seven': ownChannel(7, 1, [0, 0, 0, 0], 7, 5),
  'the largest of padded windows, of what is below zero': {
    nodes: [
      node('Sub', ['input', 'high'], 'low'),
      node('MaxPool', ['low'], 'last', pool(3, 2, [1, 1, 1, 1])),
      ...pixels(42, 3).nodes,
    ],
    weights: { high: floatTensor([], [9]), ...pixels(42, 3).weights },
    out: [42, 3],
  },
  'a sum with fewer channels, then an activation, where another reads the product too': {
    nodes: [
      node('Pad', ['input', 'pads'], 'more'),
      node('Conv', ['input', 'w', 'b'], 'made', one),
      node('Add', ['more', 'made'], 'sum'),
      node('Relu', ['sum'], 'active'),
      node('Conv', ['active', 'v'], 'second', one),
      node('Add', ['active', 'second'], 'last'),
      ...pixels(143, 9).nodes,
    ],
    weights: {
      pads: intTensor([0, 0, 0, 0, 0, 6, 0, 0]),
      w: noise([9, 3, 1, 1]),
      b: noise([9]),
      v: noise([9, 9, 1, 1]),
      ...pixels(143, 9).weights,
    },
    out: [143, 9],
  },
  'a sum of two that are no products, and one that is read before its activation': {
    nodes: [
      node('MaxPool', ['input'], 'a', pool(3, 2, [0, 0, 0, 0])),
      node('Conv', ['input', 'w'], 'b', window(3, 2, [0, 0, 0, 0], 3)),
      node('Add', ['a', 'b'], 'sum'),
      node('Relu', ['sum'], 'active'),
      node('Add', ['sum', 'active'], 'last'),
      ...pixels(30, 3).nodes,
    ],
    weights: { w: noise([3, 1, 3, 3]), ...pixels(30, 3).weights },
    size: [3, 13, 11],
    out: [30, 3],
  },
  'channels times factors of the picture itself, plus another': {
    nodes: [
      node('Conv', ['input', 'w'], 'made', one),
      node('GlobalAveragePool', ['made'], 'squeezed'),
      node('Sigmoid', ['squeezed'], 'weights'),
      node('Mul', ['made', 'weights'], 'product'),
      node('Add', ['made', 'product'], 'last'),
      ...ended('last'),
    ],
    weights: { w: noise([10, 3, 1, 1]) },
    out: [10],
  },
  'twice as large': {
    nodes: [
      node('Resize', ['input', '', 'scales'], 'last', {
        mode: { s: 'linear' },
        coordinate_transformation_mode: { s: 'half_pixel' },
      }),
      ...pixels(572, 3).nodes,
    ],
    weights: { scales: floatTensor([4], [1, 1, 2, 2]), ...pixels(572, 3).weights },
    out: [572, 3],
  },
  'colours put to their scale, a vector times weights, normalised, as shares': {
    nodes: [
      node('Sub', ['input', 'mean'], 'centred'),
      node('Div', ['centred', 'by'], 'scaled'),
      node('GlobalAveragePool', ['scaled'], 'means'),
      node('Flatten', ['means'], 'vector', { axis: { i: 1 } }),
      node('MatMul', ['vector', 'm'], 'first'),
      node('BatchNormalization', ['first', 'scale', 'bias', 'middle', 'variance'], 'normal', {
        epsilon: { f: 0.01 },
      }),
      node('Gemm', ['normal', 'g', 'c'], 'second'),
      node('Softmax', ['second'], 'out', { axis: { i: 1 } }),
    ],
    weights: {
      mean: floatTensor([1, 3, 1, 1], [0.1, 0.2, 0.3]),
      by: floatTensor([], [0.5]),
      m: noise([3, 5]),
      ...{
        scale: noise([5]),
        bias: noise([5]),
        middle: noise([5]),
        variance: floatTensor([5], [1, 2, 3, 4, 0.1]),
      },
      ...{ g: noise([5, 7]), c: noise([7]) },
    },
    out: [7],
  },
  'answers of two sizes, one behind the other': {
    nodes: [
      node('Conv', ['input', 'w'], 'a', one),
      node('Conv', ['input', 'v'], 'b', window(3, 2, [0, 0, 1, 1])),
      ...['a', 'b'].flatMap((name) => [
        node('Transpose', [name], `${name}/turned`, { perm: { ints: [0, 2, 3, 1] } }),
        node('Reshape', [`${name}/turned`, `${name}/shape`], `${name}/rows`),
      ]),
      node('Concat', ['a/rows', 'b/rows'], 'out', { axis: { i: 1 } }),
    ],
    weights: {
      w: noise([2, 3, 1, 1]),
      v: noise([6, 3, 3, 3]),
      'a/shape': intTensor([0, 143, 2]),
      'b/shape': intTensor([0, 90, 2]),
    },
    out: [233, 2],
  },
}

describe.each(kinds)('with %s instructions a network answers as the native runtime does', (kind) => {
  test.each(Object.keys(cases))('%s', async (name) => {
    const small = cases[name]!
    expect(await farthest(modelOf(small), [1, ...(small.size ?? [3, 13, 11])], kind)).toBeLessThan(1e-5)
  })

  const ours: Record<PageModelName, readonly number[]> = {
    'blazeface-short': [3, 128, 128],
    facemesh: [3, 192, 192],
    'fr-feature': [3, 112, 112],
    'fr-liveness': [3, 128, 128],
    'fr-eye': [1, 24, 24],
    'age-gender': [3, 112, 112],
    'face-expression': [3, 112, 112],
  }
  test.each(Object.entries(ours))('%s, two pictures at once', async (name, size) => {
    expect(await farthest(readFileSync(`models/weights/${name}.onnx`), [2, ...size], kind)).toBeLessThan(1e-5)
  })
})

test('several networks share a kernel without disturbing each other', async () => {
  const kernel = openKernel()
  const [first, second] = [cases['twice as large']!, cases['each channel by itself']!].map((small) => ({
    network: openNetwork(kernel, modelOf(small)),
    input: noise([1, ...(small.size ?? [3, 13, 11])]),
  })) as [
    { network: ReturnType<typeof openNetwork>; input: ReturnType<typeof noise> },
    { network: ReturnType<typeof openNetwork>; input: ReturnType<typeof noise> },
  ]
  const before = await first.network.run(first.input)
  await second.network.run(second.input)
  expect(await first.network.run(first.input)).toEqual(before)
})

describe('unsupported operations are refused when the network is opened', () => {
  const refused: Readonly<Record<string, Small>> = {
    'Tanh is not supported': { nodes: [node('Tanh', ['input'], 'out')], out: [3, 13, 11] },
    'Conv of groups of channels is not supported': {
      nodes: [node('Conv', ['input', 'w'], 'last', window(1, 1, [0, 0, 0, 0], 3)), ...ended('last')],
      weights: { w: noise([6, 1, 1, 1]) },
      out: [6],
    },
    'unequal strides and dilations are not supported': {
      nodes: [
        node('Conv', ['input', 'w'], 'last', { ...window(3, 1, [0, 0, 0, 0]), dilations: { ints: [2, 2] } }),
        ...ended('last'),
      ],
      weights: { w: noise([6, 3, 3, 3]) },
      out: [6],
    },
    'Flatten of more than one pixel is not supported': {
      nodes: [node('Flatten', ['input'], 'out', { axis: { i: 1 } })],
      out: [429],
    },
    'Pad on a spatial axis is not supported': {
      nodes: [node('Pad', ['input', 'pads'], 'last'), ...ended('last')],
      weights: { pads: intTensor([0, 0, 1, 0, 0, 0, 0, 0]) },
      out: [3],
    },
    'Resize other than linear by two is not supported': {
      nodes: [
        node('Resize', ['input', '', 'scales'], 'last', {
          mode: { s: 'nearest' },
          coordinate_transformation_mode: { s: 'half_pixel' },
        }),
        ...ended('last'),
      ],
      weights: { scales: floatTensor([4], [1, 1, 2, 2]) },
      out: [3],
    },
    'PRelu needs one slope for each channel': {
      nodes: [node('PRelu', ['input', 'slopes'], 'last'), ...ended('last')],
      weights: { slopes: noise([1]) },
      out: [3],
    },
  }
  test.each(Object.entries(refused))('%s', (words, small) => {
    expect(() => openNetwork(openKernel(), modelOf(small))).toThrow(words)
  })

  test('and half of a network', () => {
    const model = modelOf(cases['twice as large']!)
    expect(() => openNetwork(openKernel(), model.subarray(0, model.length >> 1))).toThrow()
  })
})

test('a picture of another size is refused', async () => {
  const network = openNetwork(openKernel(), modelOf(cases['twice as large']!))
  await expect(network.run(noise([1, 3, 14, 11]))).rejects.toThrow('3x13x11')
  await expect(network.run({ data: new Float32Array(5), dims: [1, 3, 13, 11] })).rejects.toThrow('3x13x11')
})
