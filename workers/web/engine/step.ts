import type { Node } from '../../onnx/graph.ts'
import type { Constant } from './constants.ts'
import type { Fused } from './fused.ts'
import type { Kernel } from './kernel/kernel.ts'

/** A picture whose channels lie together; a vector is one pixel of it. */
export interface Shape {
  readonly height: number
  readonly width: number
  readonly channels: number
  /** Without the empty channels that otherwise make a multiple of four: what a network answers. */
  readonly dense?: true
  /** As the network's answer names it, where it is not [1, channels]. */
  readonly dims?: readonly number[]
}

/** What a step is made from. */
export interface Making {
  readonly kernel: Kernel
  /** What a value is; that of a name which only stands for another is that one's, but for its shape. */
  shapeOf(name: string): Shape
  constant(name: string | undefined): Constant | undefined
}

/** A step, before it is known where values lie. */
export interface Step {
  readonly shape: Shape
  /** The values that it reads. */
  readonly inputs: readonly string[]
  /** Bytes that it needs while it runs. */
  readonly scratch?: number
  /** What runs, where the inputs, the output and the scratch lie at these addresses. */
  bind(inputs: readonly number[], output: number, scratch: number): () => void
}

export type Maker = (making: Making, fused: Fused) => Step

/** Channels with the empty ones. */
export function wideOf({ channels, dense }: Pick<Shape, 'channels' | 'dense'>): number {
  return dense ? channels : 4 * Math.ceil(channels / 4)
}

export function pixelsOf({ height, width }: Shape): number {
  return height * width
}

export function bytesOf(shape: Shape): number {
  return 4 * pixelsOf(shape) * wideOf(shape)
}

/** Keeps a number a channel, with zeros in the empty ones. @returns the address */
export function keepChannels({ kernel }: Making, numbers: Float32Array, channels: number): number {
  const wide = new Float32Array(wideOf({ channels }))
  wide.set(numbers)
  return kernel.keep(wide)
}

/** Keeps the slopes of what bends a value. @returns the address, 0 where nothing does */
export function keepSlopes(making: Making, bend: Node | undefined, channels: number): number {
  if (bend === undefined) return 0
  const slopes = bend.op === 'PRelu' ? making.constant(bend.inputs[1]!) : undefined
  if (bend.op === 'PRelu' && slopes?.data.length !== channels)
    throw new Error('PRelu wants a slope a channel')
  return keepChannels(making, slopes?.data ?? new Float32Array(channels), channels)
}

/** How a window goes over a picture. */
export interface Window {
  readonly height: number
  readonly width: number
  readonly stride: number
  readonly top: number
  readonly left: number
}

/** The window of a node, and how many answers it gives down and across. @throws where the kernel does not know it */
export function windowOf({ attributes }: Node, { height, width }: Shape) {
  const [down = 1, across = 1] = attributes.kernel_shape?.ints ?? []
  const [stride = 1, other = stride] = attributes.strides?.ints ?? []
  const [top = 0, left = 0, bottom = 0, right = 0] = attributes.pads?.ints ?? []
  if (stride !== other || attributes.dilations?.ints?.some((one) => one !== 1))
    throw new Error('a window goes in equal steps over neighbours')
  const window: Window = { height: down, width: across, stride, top, left }
  const out = {
    height: Math.floor((height + top + bottom - down) / stride) + 1,
    width: Math.floor((width + left + right - across) / stride) + 1,
  }
  return { window, out }
}
