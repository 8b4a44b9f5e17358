import type { Constant } from './constants.ts'
import type { FusedNode } from './fused.ts'
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

const panel = 8

/** Lowers a convolution, either as a depthwise one or as a matrix product. */
export const convolution: OperatorLowering = (context, fused) => {
  const { node } = fused
  const weights = context.constant(node.inputs[1]!)
  if (weights === undefined) throw new Error('Conv whose weights depend on the input is not supported')
  const group = node.attributes.group?.i ?? 1
  const { channels } = context.shapeOf(node.inputs[0]!)
  if (group === 1) return matrixProduct(context, fused, weights)
  if (group !== channels || weights.dims[0] !== group || weights.dims[1] !== 1)
    throw new Error('Conv of groups of channels is not supported')
  return depthwise(context, fused, weights)
}

function depthwise(
  context: LoweringContext,
  { node, activation }: FusedNode,
  { data }: Constant,
): LoweredStep {
  const { kernel } = context
  const input = context.shapeOf(node.inputs[0]!)
  const { window, out } = windowOf(node, input)
  const { channels } = input
  const wide = paddedChannels(input)
  const taps = window.height * window.width
  const turned = new Float32Array(taps * wide)
  for (let c = 0; c < channels; c++) for (let t = 0; t < taps; t++) turned[t * wide + c] = data[c * taps + t]!
  const weights = kernel.keep(turned)
  const bias = keepBias(context, node.inputs[2], channels)
  const slopes = keepSlopes(context, activation, channels)
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

/** If the window is larger than a pixel, each of its positions is first copied into a row. */
function matrixProduct(
  context: LoweringContext,
  { node, added, activation }: FusedNode,
  constant: Constant,
): LoweredStep {
  const { kernel } = context
  const input = context.shapeOf(node.inputs[0]!)
  const { window, out } = windowOf(node, input)
  const channels = constant.dims[0]!
  const wide = paddedChannels(input)
  const taps = window.height * window.width
  const depth = taps * wide
  const step = { input: taps, tap: 1, output: input.channels * taps }
  const layout: WeightLayout = { inputs: input.channels, taps, outputs: channels, step }
  const weights = kernel.keep(packPanels(constant.data, layout))
  const bias = keepBias(context, node.inputs[2], channels)
  const slopes = keepSlopes(context, activation, channels)
  const residual = added === undefined ? 0 : paddedChannels(context.shapeOf(added))
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
          ...[out.height * out.width, depth, paddedChannels({ channels })],
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

/** How weights are laid out: input channels, window taps and output channels, each with its stride. */
interface WeightLayout {
  readonly inputs: number
  readonly taps: number
  readonly outputs: number
  readonly step: { readonly input: number; readonly tap: number; readonly output: number }
}

/** Packs weights for the kernel's matrix product in panels of eight columns (or four for the last one). Rows go by tap, then by channel. */
function packPanels(data: Float32Array, { inputs, taps, outputs, step }: WeightLayout): Float32Array {
  const wide = paddedChannels({ channels: inputs })
  const columns = paddedChannels({ channels: outputs })
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

function keepBias(context: LoweringContext, name: string | undefined, channels: number): number {
  return keepChannels(context, context.constant(name)?.data ?? new Float32Array(channels), channels)
}

/** Multiplies a vector by a matrix of [inputs, outputs] and adds a bias if there is one. */
export const matrixVector: OperatorLowering = (context, { node }) => {
  const { kernel } = context
  const [input = '', name] = node.inputs
  const { height, width, channels } = context.shapeOf(input)
  const constant = context.constant(name)
  if (constant === undefined || height * width !== 1 || node.attributes.transB?.i)
    throw new Error('a product other than of a vector and constant weights is not supported')
  const outputs = constant.dims[1]!
  const depth = paddedChannels({ channels })
  const step = { input: outputs, tap: 0, output: 1 }
  const weights = kernel.keep(packPanels(constant.data, { inputs: channels, taps: 1, outputs, step }))
  const bias = keepBias(context, node.inputs[2], outputs)
  const shape: Shape = { height: 1, width: 1, channels: outputs }
  return {
    shape,
    inputs: [input],
    bind:
      ([from], to) =>
      () =>
        kernel.multiply(from!, weights, bias, 0, 0, 0, to, 1, depth, paddedChannels(shape)),
  }
}
