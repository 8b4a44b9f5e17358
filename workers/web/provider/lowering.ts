import type { Node } from '../../onnx/graph.ts'
import type { Constant } from './constants.ts'
import type { FusedNode } from './fused.ts'
import type { Kernel } from './kernel/kernel.ts'

/** A picture with interleaved channels; a vector is one pixel of it. */
export interface Shape {
  readonly height: number
  readonly width: number
  readonly channels: number
  /** Without the padding to a multiple of four channels, as in a network's results. */
  readonly dense?: true
  /** Dimensions of the network's result, if they are not [1, channels]. */
  readonly dims?: readonly number[]
}

/** The context available to a lowering. */
export interface LoweringContext {
  readonly kernel: Kernel
  /** The shape of a value that has been written. @throws if no step writes it */
  shapeOf(name: string): Shape
  constant(name: string | undefined): Constant | undefined
}

/** An operator as a step of the kernel, before memory is planned. */
export interface LoweredStep {
  readonly shape: Shape
  /** The values that it reads. */
  readonly inputs: readonly string[]
  /** Bytes that it needs while it runs. */
  readonly scratch?: number
  /** Returns the function that runs it, with its inputs, its output and its scratch memory at these addresses. */
  bind(inputs: readonly number[], output: number, scratch: number): () => void
}

export type OperatorLowering = (context: LoweringContext, fused: FusedNode) => LoweredStep

/** Channels rounded up to a multiple of four, as the kernel stores them. */
export function paddedChannels({ channels, dense }: Pick<Shape, 'channels' | 'dense'>): number {
  return dense ? channels : 4 * Math.ceil(channels / 4)
}

export function pixelsOf({ height, width }: Shape): number {
  return height * width
}

export function bytesOf(shape: Shape): number {
  return 4 * pixelsOf(shape) * paddedChannels(shape)
}

/** Stores one number for each channel, with zeros in the padding. @returns the address */
export function keepChannels({ kernel }: LoweringContext, numbers: Float32Array, channels: number): number {
  const wide = new Float32Array(paddedChannels({ channels }))
  wide.set(numbers)
  return kernel.keep(wide)
}

/** Stores the slopes of an activation below zero. @returns the address, 0 without an activation */
export function keepSlopes(context: LoweringContext, activation: Node | undefined, channels: number): number {
  if (activation === undefined) return 0
  const slopes = activation.op === 'PRelu' ? context.constant(activation.inputs[1]!) : undefined
  if (activation.op === 'PRelu' && slopes?.data.length !== channels)
    throw new Error('PRelu needs one slope for each channel')
  return keepChannels(context, slopes?.data ?? new Float32Array(channels), channels)
}

/** How a window slides over a picture. */
export interface Window {
  readonly height: number
  readonly width: number
  readonly stride: number
  readonly top: number
  readonly left: number
}

/** The window of a node, and the height and width of its output. @throws if the kernel does not support it */
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
