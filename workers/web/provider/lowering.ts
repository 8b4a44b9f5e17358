import type { Node } from '../../onnx/graph.ts'
import type { Constant } from './constants.ts'
import type { FusedNode } from './fused.ts'
import type { Kernel } from './kernel/kernel.ts'

/** A picture with interleaved channels. A vector counts as a single pixel. */
export interface Shape {
  readonly height: number
  readonly width: number
  readonly channels: number
  /** True if the channels are not padded to a multiple of four, as in a network's results. */
  readonly dense?: true
  /** The dimensions of the network's result, if they are not [1, channels]. */
  readonly dims?: readonly number[]
}

/** The context that a lowering has access to. */
export interface LoweringContext {
  readonly kernel: Kernel
  /** The shape of a value that has already been written. @throws if no step writes it */
  shapeOf(name: string): Shape
  constant(name: string | undefined): Constant | undefined
}

/** An operator turned into a kernel step, before its memory is planned. */
export interface LoweredStep {
  readonly shape: Shape
  /** The names of the values that the step reads. */
  readonly inputs: readonly string[]
  /** How many bytes of memory the step needs while it runs. */
  readonly scratch?: number
  /** Returns a function that runs the step with its inputs, output and scratch memory at these addresses. */
  bind(inputs: readonly number[], output: number, scratch: number): () => void
}

export type OperatorLowering = (context: LoweringContext, fused: FusedNode) => LoweredStep

/** The number of channels rounded up to a multiple of four, as the kernel stores them. */
export function paddedChannels({ channels, dense }: Pick<Shape, 'channels' | 'dense'>): number {
  return dense ? channels : 4 * Math.ceil(channels / 4)
}

export function pixelsOf({ height, width }: Shape): number {
  return height * width
}

export function bytesOf(shape: Shape): number {
  return 4 * pixelsOf(shape) * paddedChannels(shape)
}

/** Stores one number per channel, with zeros in the padding. @returns the address */
export function keepChannels({ kernel }: LoweringContext, numbers: Float32Array, channels: number): number {
  const wide = new Float32Array(paddedChannels({ channels }))
  wide.set(numbers)
  return kernel.keep(wide)
}

/** Stores an activation's slopes for negative values. @returns the address, or 0 if there is no activation */
export function keepSlopes(context: LoweringContext, activation: Node | undefined, channels: number): number {
  if (activation === undefined) return 0
  const slopes = activation.op === 'PRelu' ? context.constant(activation.inputs[1]!) : undefined
  if (activation.op === 'PRelu' && slopes?.data.length !== channels)
    throw new Error('PRelu needs one slope for each channel')
  return keepChannels(context, slopes?.data ?? new Float32Array(channels), channels)
}

/** How a window slides across a picture. */
export interface Window {
  readonly height: number
  readonly width: number
  readonly stride: number
  readonly top: number
  readonly left: number
}

/** A node's window, and its output's height and width. @throws if the kernel does not support it */
export function windowOf({ attributes }: Node, { height, width }: Shape) {
  const [down = 1, across = 1] = attributes.kernel_shape?.ints ?? []
  const [stride = 1, other = stride] = attributes.strides?.ints ?? []
  const [top = 0, left = 0, bottom = 0, right = 0] = attributes.pads?.ints ?? []
  if (stride !== other || attributes.dilations?.ints?.some((one) => one !== 1))
    throw new Error('unequal strides and dilations are not supported')
  const window: Window = { height: down, width: across, stride, top, left }
  const out = {
    height: Math.floor((height + top + bottom - down) / stride) + 1,
    width: Math.floor((width + left + right - across) / stride) + 1,
  }
  return { window, out }
}
