import type { Node } from '../../onnx/graph.ts'
import { convolution, matrix } from './convolution.ts'
import {
  keepChannels,
  keepSlopes,
  type Maker,
  type Making,
  pixelsOf,
  type Shape,
  type Step,
  wideOf,
  windowOf,
} from './step.ts'

const largest: Maker = ({ kernel, shapeOf }, { node }) => {
  const input = shapeOf(node.inputs[0]!)
  const { window, out } = windowOf(node, input)
  if (window.height !== window.width) throw new Error('a pool that is not square')
  return {
    shape: { ...out, channels: input.channels },
    inputs: [node.inputs[0]!],
    bind:
      ([from], to) =>
      () =>
        kernel.largest(
          ...[from!, to, input.height, input.width, wideOf(input), out.height, out.width],
          ...[window.height, window.stride, window.top, window.left],
        ),
  }
}

const average: Maker = ({ kernel, shapeOf }, { node }) => {
  const input = shapeOf(node.inputs[0]!)
  return {
    shape: { height: 1, width: 1, channels: input.channels },
    inputs: [node.inputs[0]!],
    bind:
      ([from], to) =>
      () =>
        kernel.average(from!, to, pixelsOf(input), wideOf(input)),
  }
}

/** The sum of two values, of which one may have fewer channels; bent where wanted. */
const sum: Maker = (making, { node, bend }) => {
  const { kernel, shapeOf } = making
  const [first, second] = [...node.inputs].sort((a, b) => shapeOf(b).channels - shapeOf(a).channels)
  const { height, width, channels } = shapeOf(first!)
  const shape: Shape = { height, width, channels }
  const slopes = keepSlopes(making, bend, channels)
  const other = shapeOf(second!)
  if (pixelsOf(other) !== pixelsOf(shape)) throw new Error('a sum of pictures of two sizes')
  return {
    shape,
    inputs: [first!, second!],
    bind:
      ([a, b], to) =>
      () =>
        kernel.add(a!, b!, wideOf(other), slopes, to, pixelsOf(shape), wideOf(shape)),
  }
}

/** What bends a value that others want as it was. */
const bent: Maker = (making, { node }) => {
  const { kernel, shapeOf } = making
  const shape = shapeOf(node.inputs[0]!)
  const slopes = keepSlopes(making, node, shape.channels)
  return {
    shape,
    inputs: [node.inputs[0]!],
    bind:
      ([from], to) =>
      () =>
        kernel.add(from!, 0, 0, slopes, to, pixelsOf(shape), wideOf(shape)),
  }
}

/** Each channel times a factor of the picture itself, as a network weighs its channels; plus another picture where one stands with it. */
const weighed: Maker = ({ kernel, shapeOf }, { node, added }) => {
  const [picture, factors] = [...node.inputs].sort((a, b) => pixelsOf(shapeOf(b)) - pixelsOf(shapeOf(a)))
  const shape = shapeOf(picture!)
  if (pixelsOf(shapeOf(factors!)) !== 1) throw new Error('a product of two pictures')
  return {
    shape,
    inputs: [picture!, factors!, ...(added === undefined ? [] : [added])],
    bind:
      ([from, by, other = 0], to) =>
      () =>
        kernel.scale(from!, by!, 0, other, to, pixelsOf(shape), wideOf(shape)),
  }
}

/** A factor and a term for each channel. */
type Line = (making: Making, node: Node, channels: number) => { factors: Float32Array; terms: Float32Array }

/** Each channel times a factor and plus a term that are known beforehand. */
function scaled(line: Line): Maker {
  return (making, { node }) => {
    const { kernel, shapeOf } = making
    const shape = shapeOf(node.inputs[0]!)
    const { factors, terms } = line(making, node, shape.channels)
    const by = keepChannels(making, factors, shape.channels)
    const plus = keepChannels(making, terms, shape.channels)
    return {
      shape,
      inputs: [node.inputs[0]!],
      bind:
        ([from], to) =>
        () =>
          kernel.scale(from!, by, plus, 0, to, pixelsOf(shape), wideOf(shape)),
    }
  }
}

/** A number a channel, from as many or from one for all. */
function aChannel(making: Making, name: string | undefined, channels: number): Float32Array {
  const data = making.constant(name)?.data
  if (data?.length === channels) return data
  if (data?.length === 1) return new Float32Array(channels).fill(data[0]!)
  throw new Error('neither one number nor one for each channel')
}

const less: Line = (making, node, channels) => ({
  factors: new Float32Array(channels).fill(1),
  terms: aChannel(making, node.inputs[1], channels).map((value) => -value),
})

const divided: Line = (making, node, channels) => ({
  factors: aChannel(making, node.inputs[1], channels).map((value) => 1 / value),
  terms: new Float32Array(channels),
})

const normalised: Line = (making, node, channels) => {
  const [scale, bias, mean, variance] = node.inputs
    .slice(1)
    .map((name) => aChannel(making, name, channels)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const epsilon = node.attributes.epsilon?.f ?? 1e-5
  const factors = scale.map((value, c) => value / Math.sqrt(variance[c]! + epsilon))
  return { factors, terms: bias.map((value, c) => value - mean[c]! * factors[c]!) }
}

/** What is done to a vector number by number. */
function toVector(change: (numbers: Float32Array, channels: number) => void): Maker {
  return ({ kernel, shapeOf }, { node }) => {
    const shape = shapeOf(node.inputs[0]!)
    const count = pixelsOf(shape) * wideOf(shape)
    return {
      shape,
      inputs: [node.inputs[0]!],
      bind:
        ([from], to) =>
        () => {
          const numbers = kernel.numbers(to, count)
          numbers.set(kernel.numbers(from!, count))
          change(numbers, shape.channels)
        },
    }
  }
}

function sigmoid(numbers: Float32Array): void {
  for (const [i, value] of numbers.entries()) numbers[i] = 1 / (1 + Math.exp(-value))
}

function softmax(numbers: Float32Array, channels: number): void {
  const own = numbers.subarray(0, channels)
  const highest = Math.max(...own)
  for (const [i, value] of own.entries()) own[i] = Math.exp(value - highest)
  const total = own.reduce((all, value) => all + value, 0)
  for (const [i, value] of own.entries()) own[i] = value / total
}

const doubled: Maker = ({ kernel, shapeOf, constant }, { node }) => {
  const { height, width, channels } = shapeOf(node.inputs[0]!)
  const scales = constant(node.inputs[2])?.data.join()
  const { mode, coordinate_transformation_mode: middles } = node.attributes
  if (scales !== '1,1,2,2' || mode?.s !== 'linear' || middles?.s !== 'half_pixel')
    throw new Error('a picture that is not made twice as large')
  const shape: Shape = { height: 2 * height, width: 2 * width, channels }
  return {
    shape,
    inputs: [node.inputs[0]!],
    bind:
      ([from], to) =>
      () =>
        kernel.doubled(from!, to, height, width, wideOf(shape)),
  }
}

/** Pixels whose channels lie together are what the kernel has anyway; what stands empty is left out. */
const transposed: Maker = ({ kernel, shapeOf }, { node }) => {
  const input = shapeOf(node.inputs[0]!)
  if (node.attributes.perm?.ints?.join() !== '0,2,3,1') throw new Error('axes in another order')
  return {
    shape: { ...input, dense: true },
    inputs: [node.inputs[0]!],
    bind:
      ([from], to) =>
      () =>
        kernel.narrow(from!, to, pixelsOf(input), input.channels, wideOf(input)),
  }
}

/** One answer behind the other. */
const joined: Maker = ({ kernel, shapeOf }, { node }): Step => {
  const shapes = node.inputs.map(shapeOf)
  const [first] = shapes
  if (node.attributes.axis?.i !== 1 || shapes.some(({ dims, dense }) => !dense || dims === undefined))
    throw new Error('parts that are no answers')
  const counts = shapes.map((shape) => pixelsOf(shape) * shape.channels)
  const rows = shapes.reduce((total, { dims }) => total + dims![1]!, 0)
  const dims = [1, rows, ...first!.dims!.slice(2)]
  const all = counts.reduce((total, count) => total + count, 0)
  return {
    shape: { height: 1, width: 1, channels: all, dense: true, dims },
    inputs: node.inputs,
    bind: (from, to) => () => {
      const whole = kernel.numbers(to, all)
      let at = 0
      for (const [i, count] of counts.entries()) {
        whole.set(kernel.numbers(from[i]!, count), at)
        at += count
      }
    },
  }
}

/** How each operator becomes a step. */
export const makers: Readonly<Record<string, Maker>> = {
  Conv: convolution,
  MatMul: matrix,
  Gemm: matrix,
  MaxPool: largest,
  GlobalAveragePool: average,
  Add: sum,
  Relu: bent,
  PRelu: bent,
  Mul: weighed,
  Sub: scaled(less),
  Div: scaled(divided),
  BatchNormalization: scaled(normalised),
  Sigmoid: toVector(sigmoid),
  Softmax: toVector(softmax),
  Resize: doubled,
  Transpose: transposed,
  Concat: joined,
}
