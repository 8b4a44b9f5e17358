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
  const weights = kernel.keep(panelsOf(rowsOf(constant, input.channels, taps), depth, channels))
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

/** Where a weight stands: at(row, column), the column being the channel of the answer. */
type At = (row: number, column: number) => number

/** [O, I, taps] as rows of (tap, input channel): zeros for the empty channels. */
function rowsOf({ data }: Constant, inputs: number, taps: number): At {
  const wide = wideOf({ channels: inputs })
  return (row, column) => {
    const input = row % wide
    return input < inputs ? data[(column * inputs + input) * taps + (row - input) / wide]! : 0
  }
}

/** As the kernel wants the weights of a product: panels of eight columns, the last of four where that is enough. */
function panelsOf(at: At, depth: number, columns: number): Float32Array {
  const wide = wideOf({ channels: columns })
  const panels = new Float32Array(depth * wide)
  let to = 0
  for (let first = 0; first < wide; first += panel) {
    const width = Math.min(panel, wide - first)
    for (let row = 0; row < depth; row++) {
      for (let column = first; column < first + width; column++)
        panels[to++] = column < columns ? at(row, column) : 0
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
  const at: At = (row, column) => (row < channels ? constant.data[row * outputs + column]! : 0)
  const weights = kernel.keep(panelsOf(at, depth, outputs))
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
