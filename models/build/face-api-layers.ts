/** Layers from which the networks of face-api are made, as ONNX nodes. Pictures inside have even sizes throughout. */
import { type Attribute, floatTensor, type Graph, type Node, type Port, type Tensor } from './graph.ts'
import type { Packed } from './pack-weights.ts'
import type { TakeWeights } from './tfjs-weights.ts'

const OPSET = 17
const SIZE = 112
/** The mean colour that both networks subtract, red, green, blue. */
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
    const inputs = [from, this.weigh(weights, [3, 2, 0, 1]), this.weigh(bias)]
    return this.node('Conv', inputs, windowOf(kernel, stride))
  }

  /** A 3x3 convolution of each channel by itself, then a 1x1 one that mixes the channels. */
  separable(from: string, prefix: string, stride = 1): string {
    const filter = this.weigh(`${prefix}/depthwise_filter`, [2, 3, 0, 1])
    const group = { i: this.channelsOf(filter) }
    const each = this.node('Conv', [from, filter], { ...windowOf(3, stride), group })
    return this.convolve(each, `${prefix}/pointwise_filter`, `${prefix}/bias`, 1, 1)
  }

  maxPool(from: string): string {
    return this.node('MaxPool', [from], windowOf(3, 2))
  }

  /** The mean over the whole picture, one number a channel. */
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

  finish(name: string, outputs: readonly Port[]): Graph {
    const inputs = [{ name: 'input', dims: ['N', 3, SIZE, SIZE] }]
    return { name, opset: OPSET, inputs, outputs, nodes: this.nodes, initialisers: this.initialisers }
  }

  private weigh(name: string, order?: readonly number[]): string {
    const packed: Packed = this.take(name, order)
    for (const [key, tensor] of packed.initialisers) this.initialisers.set(key, tensor)
    this.nodes.push(...packed.nodes)
    return name
  }

  private channelsOf(filter: string): number {
    const tensor = this.initialisers.get(`${filter}/bytes`) ?? this.initialisers.get(filter)
    return tensor?.dims[0] ?? 1
  }
}

/** TensorFlow's SAME padding for even sizes: both sides at stride 1, the far side only at stride 2. */
function windowOf(kernel: number, stride: number): Record<string, Attribute> {
  const near = kernel === 3 && stride === 1 ? 1 : 0
  const far = kernel === 3 ? 1 : 0
  return {
    kernel_shape: { ints: [kernel, kernel] },
    strides: { ints: [stride, stride] },
    pads: { ints: [near, near, far, far] },
  }
}
