import type { Constant } from './constants.ts'
import type { Fused } from './fused.ts'
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

const panel = 8

/** A convolution: of each channel by itself, or a product of matrices. */
export const convolution: Maker = (making, fused) => {
  const { node } = fused
  const weights = making.constant(node.inputs[1]!)
  if (weights === undefined) throw new Error('a convolution whose weights depend on the input')
  const group = node.attributes.group?.i ?? 1
  const { channels } = making.shapeOf(node.inputs[0]!)
  if (group === 1) return product(making, fused, weights)
  if (group !== channels || weights.dims[0] !== group || weights.dims[1] !== 1)
    throw new Error('a convolution of groups of channels')
  return ownChannel(making, fused, weights)
}

function ownChannel(making: Making, { node, bend }: Fused, { data }: Constant): Step {
  const { kernel } = making
  const input = making.shapeOf(node.inputs[0]!)
  const { window, out } = windowOf(node, input)
  const { channels } = input
  const wide = wideOf(input)
  const taps = window.height * window.width
  const turned = new Float32Array(taps * wide)
  for (let c = 0; c < channels; c++) for (let t = 0; t < taps; t++) turned[t * wide + c] = data[c * taps + t]!
  const weights = kernel.keep(turned)
  const bias = keepBias(making, node.inputs[2], channels)
  const slopes = keepSlopes(making, bend, channels)
  return {
    shape: { ...out, channels },
    inputs: [node.inputs[0]!],
    bind:
      ([from], to) =>
      () =>
        kernel.depthwise(
          ...[from!, weights, bias, slopes, to, input.height, input.width, wide, out.height, out.width],
          ...[window.height, window.width, window.stride, window.top, window.left],
        ),
  }
}

/** Where the window is more than a pixel, each place of it is first written out as a row. */
function product(making: Making, { node, added, bend }: Fused, constant: Constant): Step {
  const { kernel } = making
  const input = making.shapeOf(node.inputs[0]!)
  const { window, out } = windowOf(node, input)
  const channels = constant.dims[0]!
  const wide = wideOf(input)
  const taps = window.height * window.width
  const depth = taps * wide
  const step = { input: taps, tap: 1, output: input.channels * taps }
  const lie: Lie = { inputs: input.channels, taps, outputs: channels, step }
  const weights = kernel.keep(panelsOf(constant.data, lie))
  const bias = keepBias(making, node.inputs[2], channels)
  const slopes = keepSlopes(making, bend, channels)
  const residual = added === undefined ? 0 : wideOf(making.shapeOf(added))
  const isPlain = taps === 1 && window.stride === 1
  return {
    shape: { ...out, channels },
    inputs: [node.inputs[0]!, ...(added === undefined ? [] : [added])],
    ...(!isPlain && { scratch: 4 * pixelsOf({ ...out, channels }) * depth }),
    bind: ([from, other = 0], to, scratch) => {
      const rows = isPlain ? from! : scratch
      const multiply = () =>
        kernel.multiply(
          ...[rows, weights, bias, slopes, other, residual, to],
          ...[out.height * out.width, depth, wideOf({ channels })],
        )
      if (isPlain) return multiply
      return () => {
        kernel.windows(
          ...[from!, scratch, input.height, input.width, wide, out.height, out.width],
          ...[window.height, window.width, window.stride, window.top, window.left],
        )
        multiply()
      }
    },
  }
}

/** How weights lie: so many channels of the input by taps of a window, for so many channels of the answer; and the way from one to the next. */
interface Lie {
  readonly inputs: number
  readonly taps: number
  readonly outputs: number
  readonly step: { readonly input: number; readonly tap: number; readonly output: number }
}

/** As the kernel wants the weights of a product: panels of eight columns, the last of four where that is enough; rows by tap, then channel. */
function panelsOf(data: Float32Array, { inputs, taps, outputs, step }: Lie): Float32Array {
  const wide = wideOf({ channels: inputs })
  const columns = wideOf({ channels: outputs })
  const depth = taps * wide
  const panels = new Float32Array(depth * columns)
  for (let output = 0; output < outputs; output++) {
    const within = output % panel
    const first = output - within
    const width = Math.min(panel, columns - first)
    for (let input = 0; input < inputs; input++) {
      let from = output * step.output + input * step.input
      let to = first * depth + input * width + within
      for (let tap = 0; tap < taps; tap++, from += step.tap, to += wide * width) panels[to] = data[from]!
    }
  }
  return panels
}

function keepBias(making: Making, name: string | undefined, channels: number): number {
  return keepChannels(making, making.constant(name)?.data ?? new Float32Array(channels), channels)
}

/** A vector times a matrix of [inputs, outputs], plus a bias where there is one. */
export const matrix: Maker = (making, { node }) => {
  const { kernel } = making
  const [input = '', name] = node.inputs
  const { height, width, channels } = making.shapeOf(input)
  const constant = making.constant(name)
  if (constant === undefined || height * width !== 1 || node.attributes.transB?.i)
    throw new Error('a product that is not of a vector and weights')
  const outputs = constant.dims[1]!
  const depth = wideOf({ channels })
  const step = { input: outputs, tap: 0, output: 1 }
  const weights = kernel.keep(panelsOf(constant.data, { inputs: channels, taps: 1, outputs, step }))
  const bias = keepBias(making, node.inputs[2], outputs)
  const shape: Shape = { height: 1, width: 1, channels: outputs }
  return {
    shape,
    inputs: [input],
    bind:
      ([from], to) =>
      () =>
        kernel.multiply(from!, weights, bias, 0, 0, 0, to, 1, depth, wideOf(shape)),
  }
}
