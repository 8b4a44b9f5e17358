import type { Node } from '../../onnx/graph.ts'
import { convolution, matrixVector } from './convolution.ts'
import {
  keepChannels,
  keepSlopes,
  type LoweredStep,
  type LoweringContext,
  type OperatorLowering,
  paddedChannels,
  pixelsOf,
  type Shape,
  windowOf,
} from './lowering.ts'

const maxPool: OperatorLowering = ({ kernel, shapeOf }, { node }) => {
  const input = shapeOf(node.inputs[0]!)
  const { window, out } = windowOf(node, input)
  if (window.height !== window.width)
    throw new Error('MaxPool with a window that is not square is not supported')
  return {
    shape: { ...out, channels: input.channels },
    inputs: [node.inputs[0]!],
    bind:
      ([from], to) =>
      () =>
        kernel.maxPool(
          ...[from!, to, input.height, input.width, paddedChannels(input), out.height, out.width],
          ...[window.height, window.stride, window.top, window.left],
        ),
  }
}

const globalAveragePool: OperatorLowering = ({ kernel, shapeOf }, { node }) => {
  const input = shapeOf(node.inputs[0]!)
  return {
    shape: { height: 1, width: 1, channels: input.channels },
    inputs: [node.inputs[0]!],
    bind:
      ([from], to) =>
      () =>
        kernel.average(from!, to, pixelsOf(input), paddedChannels(input)),
  }
}

/** Adds two values, one of which may have fewer channels, then applies the activation if there is one. */
const add: OperatorLowering = (context, { node, activation: fused }) => {
  const { kernel, shapeOf } = context
  const [first, second] = [...node.inputs].sort((a, b) => shapeOf(b).channels - shapeOf(a).channels)
  const { height, width, channels } = shapeOf(first!)
  const shape: Shape = { height, width, channels }
  const slopes = keepSlopes(context, fused, channels)
  const other = shapeOf(second!)
  if (pixelsOf(other) !== pixelsOf(shape)) throw new Error('Add of two sizes is not supported')
  return {
    shape,
    inputs: [first!, second!],
    bind:
      ([a, b], to) =>
      () =>
        kernel.add(a!, b!, paddedChannels(other), slopes, to, pixelsOf(shape), paddedChannels(shape)),
  }
}

/** A separate activation, for values that are also read elsewhere. */
const activation: OperatorLowering = (context, { node }) => {
  const { kernel, shapeOf } = context
  const shape = shapeOf(node.inputs[0]!)
  const slopes = keepSlopes(context, node, shape.channels)
  return {
    shape,
    inputs: [node.inputs[0]!],
    bind:
      ([from], to) =>
      () =>
        kernel.add(from!, 0, 0, slopes, to, pixelsOf(shape), paddedChannels(shape)),
  }
}

/** Multiplies each channel by a factor that depends on the input (channel attention), then adds another value if an Add was fused with it. */
const multiply: OperatorLowering = ({ kernel, shapeOf }, { node, added }) => {
  const [picture, factors] = [...node.inputs].sort((a, b) => pixelsOf(shapeOf(b)) - pixelsOf(shapeOf(a)))
  const shape = shapeOf(picture!)
  if (pixelsOf(shapeOf(factors!)) !== 1)
    throw new Error('Mul of two values of more than one pixel is not supported')
  return {
    shape,
    inputs: [picture!, factors!, ...(added === undefined ? [] : [added])],
    bind:
      ([from, by, other = 0], to) =>
      () =>
        kernel.scale(from!, by!, 0, other, to, pixelsOf(shape), paddedChannels(shape)),
  }
}

/** A factor and an offset per channel. */
type ChannelAffine = (
  context: LoweringContext,
  node: Node,
  channels: number,
) => { factors: Float32Array; terms: Float32Array }

/** Multiplies each channel by a constant factor and adds a constant offset. */
function channelAffine(line: ChannelAffine): OperatorLowering {
  return (context, { node }) => {
    const { kernel, shapeOf } = context
    const shape = shapeOf(node.inputs[0]!)
    const { factors, terms } = line(context, node, shape.channels)
    const by = keepChannels(context, factors, shape.channels)
    const plus = keepChannels(context, terms, shape.channels)
    return {
      shape,
      inputs: [node.inputs[0]!],
      bind:
        ([from], to) =>
        () =>
          kernel.scale(from!, by, plus, 0, to, pixelsOf(shape), paddedChannels(shape)),
    }
  }
}

/** Reads one number per channel from a constant that holds either that many numbers or a single one. */
function perChannel(context: LoweringContext, name: string | undefined, channels: number): Float32Array {
  const data = context.constant(name)?.data
  if (data?.length === channels) return data
  if (data?.length === 1) return new Float32Array(channels).fill(data[0]!)
  throw new Error('a constant that is neither one number nor one for each channel is not supported')
}

const subtract: ChannelAffine = (context, node, channels) => ({
  factors: new Float32Array(channels).fill(1),
  terms: perChannel(context, node.inputs[1], channels).map((value) => -value),
})

const divide: ChannelAffine = (context, node, channels) => ({
  factors: perChannel(context, node.inputs[1], channels).map((value) => 1 / value),
  terms: new Float32Array(channels),
})

const batchNormalization: ChannelAffine = (context, node, channels) => {
  const [scale, bias, mean, variance] = node.inputs
    .slice(1)
    .map((name) => perChannel(context, name, channels)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const epsilon = node.attributes.epsilon?.f ?? 1e-5
  const factors = scale.map((value, c) => value / Math.sqrt(variance[c]! + epsilon))
  return { factors, terms: bias.map((value, c) => value - mean[c]! * factors[c]!) }
}

/** Applies a function to a value's numbers in place. */
function elementwise(change: (numbers: Float32Array, channels: number) => void): OperatorLowering {
  return ({ kernel, shapeOf }, { node }) => {
    const shape = shapeOf(node.inputs[0]!)
    const count = pixelsOf(shape) * paddedChannels(shape)
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

const upsample2x: OperatorLowering = ({ kernel, shapeOf, constant }, { node }) => {
  const { height, width, channels } = shapeOf(node.inputs[0]!)
  const scales = constant(node.inputs[2])?.data.join()
  const { mode, coordinate_transformation_mode: coordinates } = node.attributes
  if (scales !== '1,1,2,2' || mode?.s !== 'linear' || coordinates?.s !== 'half_pixel')
    throw new Error('Resize other than linear by two is not supported')
  const shape: Shape = { height: 2 * height, width: 2 * width, channels }
  return {
    shape,
    inputs: [node.inputs[0]!],
    bind:
      ([from], to) =>
      () =>
        kernel.upsample2x(from!, to, height, width, paddedChannels(shape)),
  }
}

/** The kernel already stores each pixel's channels together, so only the padding has to be removed. */
const transpose: OperatorLowering = ({ kernel, shapeOf }, { node }) => {
  const input = shapeOf(node.inputs[0]!)
  if (node.attributes.perm?.ints?.join() !== '0,2,3,1')
    throw new Error('Transpose other than to channels last is not supported')
  return {
    shape: { ...input, dense: true },
    inputs: [node.inputs[0]!],
    bind:
      ([from], to) =>
      () =>
        kernel.narrow(from!, to, pixelsOf(input), input.channels, paddedChannels(input)),
  }
}

/** Appends the results one after another. */
const concat: OperatorLowering = ({ kernel, shapeOf }, { node }): LoweredStep => {
  const shapes = node.inputs.map(shapeOf)
  const [first] = shapes
  if (node.attributes.axis?.i !== 1 || shapes.some(({ dims, dense }) => !dense || dims === undefined))
    throw new Error('Concat of anything but answers is not supported')
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

/** How each operator is lowered. */
export const lowerings: Readonly<Record<string, OperatorLowering>> = {
  Conv: convolution,
  MatMul: matrixVector,
  Gemm: matrixVector,
  MaxPool: maxPool,
  GlobalAveragePool: globalAveragePool,
  Add: add,
  Relu: activation,
  PRelu: activation,
  Mul: multiply,
  Sub: channelAffine(subtract),
  Div: channelAffine(divide),
  BatchNormalization: channelAffine(batchNormalization),
  Sigmoid: elementwise(sigmoid),
  Softmax: elementwise(softmax),
  Resize: upsample2x,
  Transpose: transpose,
  Concat: concat,
}
