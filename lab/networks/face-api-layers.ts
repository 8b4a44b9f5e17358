/** The layers of face-api's networks as ONNX nodes. If TensorFlow's SAME padding is written out, inner sizes are always even. */
import {
  type Attribute,
  floatTensor,
  type Graph,
  intTensor,
  type Node,
  type Port,
  type Tensor,
} from '../../workers/onnx/graph.ts'
import type { PackedWeights } from './pack-weights.ts'
import type { TakeWeights } from './tfjs-weights.ts'

const OPSET = 17
/** The mean colour that the networks subtract, as red, green, blue. */
const MEAN = [122.782, 117.001, 104.298]

export class Layers {
  private readonly nodes: Node[] = []
  private readonly initialisers = new Map<string, Tensor>()

  constructor(private readonly take: TakeWeights) {}

  node(
    op: string,
    inputs: readonly string[],
    attributes: Record<string, Attribute> = {},
    output = `n${this.nodes.length}`,
  ): string {
    this.nodes.push({ op, inputs, outputs: [output], attributes })
    return output
  }

  normalise(): string {
    this.initialisers.set('mean', floatTensor([1, 3, 1, 1], MEAN))
    this.initialisers.set('range', floatTensor([], [255]))
    return this.node('Div', [this.node('Sub', ['input', 'mean']), 'range'])
  }

  relu(from: string): string {
    return this.node('Relu', [from])
  }

  add(left: string, right: string): string {
    return this.node('Add', [left, right])
  }

  convolve(from: string, weights: string, bias: string, stride: number, kernel: number): string {
    return this.window(from, weights, bias, windowOf(kernel, stride))
  }

  /** As stored by dlib: a convolution, followed by a scale and a shift for each channel. No padding at stride 2. */
  scaled(from: string, prefix: string, stride: 1 | 2, kernel = 3): string {
    const pad = stride === 1 ? (kernel - 1) / 2 : 0
    const attributes = {
      kernel_shape: { ints: [kernel, kernel] },
      strides: { ints: [stride, stride] },
      pads: { ints: [pad, pad, pad, pad] },
    }
    const value = this.window(from, `${prefix}/conv/filters`, `${prefix}/conv/bias`, attributes)
    const scaled = this.node('Mul', [value, this.eachChannel(`${prefix}/scale/weights`)])
    return this.node('Add', [scaled, this.eachChannel(`${prefix}/scale/biases`)])
  }

  /** Appends zeros after the last row and column, or after the last channel. */
  extend(from: string, amounts: { readonly channels?: number; readonly pixels?: number }): string {
    const { channels = 0, pixels = 0 } = amounts
    const name = `pads${channels}-${pixels}`
    this.initialisers.set(name, intTensor([0, 0, 0, 0, 0, channels, pixels, pixels]))
    return this.node('Pad', [from, name])
  }

  halve(from: string): string {
    return this.node('AveragePool', [from], { kernel_shape: { ints: [2, 2] }, strides: { ints: [2, 2] } })
  }

  multiply(from: string, weights: string, output?: string): string {
    return this.node('MatMul', [from, this.weigh(weights)], {}, output)
  }

  /** A 3x3 convolution for each channel separately, followed by a 1x1 convolution that mixes the channels. */
  separable(from: string, prefix: string, stride = 1): string {
    const filter = this.weigh(`${prefix}/depthwise_filter`, [2, 3, 0, 1])
    const group = { i: this.channelsOf(filter) }
    const each = this.node('Conv', [from, filter], { ...windowOf(3, stride), group })
    return this.convolve(each, `${prefix}/pointwise_filter`, `${prefix}/bias`, 1, 1)
  }

  maxPool(from: string, far = 1): string {
    return this.node('MaxPool', [from], { ...windowOf(3, 2), pads: { ints: [0, 0, far, far] } })
  }

  /** The mean over the whole picture, which is one number per channel. */
  pool(from: string): string {
    return this.node('Flatten', [this.node('GlobalAveragePool', [from])], { axis: { i: 1 } })
  }

  connect(from: string, prefix: string, output?: string): string {
    return this.node(
      'Gemm',
      [from, this.weigh(`${prefix}/weights`), this.weigh(`${prefix}/bias`)],
      {},
      output,
    )
  }

  softmax(from: string, output: string): string {
    return this.node('Softmax', [from], { axis: { i: 1 } }, output)
  }

  finish(name: string, size: number, outputs: readonly Port[]): Graph {
    const inputs = [{ name: 'input', dims: ['N', 3, size, size] }]
    return { name, opset: OPSET, inputs, outputs, nodes: this.nodes, initialisers: this.initialisers }
  }

  private window(from: string, weights: string, bias: string, attributes: Record<string, Attribute>): string {
    return this.node('Conv', [from, this.weigh(weights, [3, 2, 0, 1]), this.weigh(bias)], attributes)
  }

  /** One number for each of a picture's channels. */
  private eachChannel(name: string): string {
    const shape = 'each-channel'
    this.initialisers.set(shape, intTensor([-1, 1, 1]))
    return this.node('Reshape', [this.weigh(name), shape])
  }

  private weigh(name: string, order?: readonly number[]): string {
    const packed: PackedWeights = this.take(name, order)
    for (const [key, tensor] of packed.initialisers) this.initialisers.set(key, tensor)
    this.nodes.push(...packed.nodes)
    return name
  }

  private channelsOf(filter: string): number {
    const tensor = this.initialisers.get(`${filter}/bytes`) ?? this.initialisers.get(filter)
    return tensor?.dims[0] ?? 1
  }
}

/** TensorFlow's SAME padding for even sizes: on both sides at stride 1, only on the far side at stride 2. */
function windowOf(kernel: number, stride: number): Record<string, Attribute> {
  const near = kernel === 3 && stride === 1 ? 1 : 0
  const far = kernel === 3 ? 1 : 0
  return {
    kernel_shape: { ints: [kernel, kernel] },
    strides: { ints: [stride, stride] },
    pads: { ints: [near, near, far, far] },
  }
}
