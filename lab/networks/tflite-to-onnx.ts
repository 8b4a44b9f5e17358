/**
 * Converts a TFLite network to an ONNX graph. TFLite puts channels last and ONNX puts them first. Tensors of rank 4 are therefore transposed once,
 * here, while all other tensors keep TFLite's element order, so that outputs mean the same as in the original.
 */
import {
  type Attribute,
  type FloatTensor,
  type Graph,
  intTensor,
  type Node,
  permuteTensor,
  type Tensor,
} from '../../workers/onnx/graph.ts'
import { type LiteModel, type LiteOperator, readLiteModel } from './tflite.ts'

type Attributes = Record<string, Attribute>
type Convert = (context: Context, operator: LiteOperator) => void

const OPSET = 17
/** The positions of TFLite's axes (batch, row, column, channel) in ONNX. */
const AXIS = [0, 2, 3, 1] as const
const TO_CHANNELS_FIRST = [0, 3, 1, 2]
const TO_CHANNELS_LAST = [0, 2, 3, 1]

const CONVERTERS: Readonly<Record<number, Convert>> = {
  0: convertAdd,
  2: convertConcatenation,
  3: convertConvolution,
  4: convertDepthwise,
  6: convertDequantise,
  17: convertMaxPool,
  19: (context, operator) => context.emit('Relu', operator, context.inputs(operator)),
  22: convertReshape,
  23: convertResize,
  34: convertPad,
  54: convertPRelu,
}

export function convertLiteModel(name: string, bytes: Uint8Array): Graph {
  const model = readLiteModel(bytes)
  const context = new Context(model)
  for (const operator of model.operators) {
    const convert = CONVERTERS[operator.code]
    if (!convert) throw new Error(`No conversion for the TFLite operator ${operator.code}`)
    convert(context, operator)
  }
  return context.finish(name)
}

class Context {
  readonly nodes: Node[] = []
  readonly initialisers = new Map<string, Tensor>()
  /** Tensors with known values. Some only become known after a constant has been widened. */
  private readonly values = new Map<number, Tensor>()

  constructor(readonly model: LiteModel) {
    for (const [index, tensor] of model.tensors.entries())
      if (tensor.value) this.values.set(index, tensor.value)
  }

  name(index: number): string {
    return index === this.model.inputs[0] ? 'input' : `v${index}`
  }

  inputs(operator: LiteOperator): string[] {
    return operator.inputs.map((index) => this.name(index))
  }

  dims(index: number | undefined): readonly number[] {
    return this.model.tensors[index ?? -1]?.dims ?? []
  }

  value(index: number | undefined): Tensor | undefined {
    return this.values.get(index ?? -1)
  }

  setValue(index: number, value: Tensor): void {
    this.values.set(index, value)
  }

  weights(index: number | undefined): FloatTensor {
    const value = this.value(index)
    if (value?.type !== 'float32') throw new Error('A TFLite operator lacks its weights')
    return value
  }

  constant(name: string, tensor: Tensor): string {
    this.initialisers.set(name, tensor)
    return name
  }

  add(op: string, inputs: readonly string[], output: string, attributes: Attributes = {}): string {
    this.nodes.push({ op, inputs, outputs: [output], attributes })
    return output
  }

  /** Emits an operation's node together with the activation that TFLite fuses into it. */
  emit(
    op: string,
    operator: LiteOperator,
    inputs: readonly string[],
    attributes: Attributes = {},
    fused = 0,
  ): void {
    const output = this.name(operator.outputs[0] ?? -1)
    if (fused === 0) this.add(op, inputs, output, attributes)
    else if (fused === 1) this.add('Relu', [this.add(op, inputs, `${output}/raw`, attributes)], output)
    else throw new Error(`No conversion for the fused activation ${fused}`)
  }

  finish(name: string): Graph {
    const port = (index: number) => ({ name: this.name(index), dims: turnDims(this.dims(index)) })
    const { inputs, outputs } = this.model
    return {
      name,
      opset: OPSET,
      inputs: inputs.map(port),
      outputs: outputs.map(port),
      nodes: this.nodes,
      initialisers: this.initialisers,
    }
  }
}

function turnDims(dims: readonly number[]): number[] {
  return dims.length === 4 ? TO_CHANNELS_FIRST.map((axis) => dims[axis] ?? 1) : [...dims]
}

function convertDequantise(context: Context, operator: LiteOperator): void {
  context.setValue(operator.outputs[0] ?? -1, context.weights(operator.inputs[0]))
}

function convertConvolution(context: Context, operator: LiteOperator): void {
  const weights = permuteTensor(context.weights(operator.inputs[1]), TO_CHANNELS_FIRST)
  addConvolution(context, operator, weights, { activation: 3, dilation: [5, 4] })
}

function convertDepthwise(context: Context, operator: LiteOperator): void {
  const weights = permuteTensor(context.weights(operator.inputs[1]), [3, 0, 1, 2])
  addConvolution(context, operator, weights, { activation: 4, dilation: [6, 5] }, weights.dims[0])
}

interface OptionFields {
  readonly activation: number
  readonly dilation: readonly [number, number]
}

function addConvolution(
  context: Context,
  operator: LiteOperator,
  weights: FloatTensor,
  at: OptionFields,
  group = 1,
): void {
  const { options } = operator
  if (!options) throw new Error('A TFLite convolution lacks its options')
  if (at.dilation.some((field) => options.int(field) > 1))
    throw new Error('Dilated convolutions are not converted')
  const output = context.name(operator.outputs[0] ?? -1)
  const inputs = [context.name(operator.inputs[0] ?? -1), context.constant(`${output}/weights`, weights)]
  const bias = context.value(operator.inputs[2])
  if (bias) inputs.push(context.constant(`${output}/bias`, bias))
  const window = windowAttributes(context, operator, weights.dims.slice(2))
  context.emit('Conv', operator, inputs, { ...window, group: { i: group } }, options.byte(at.activation))
}

/** TFLite's SAME padding puts the odd pixel at the end. The sizes are fixed, so the padding can be written out. */
function windowAttributes(context: Context, operator: LiteOperator, kernel: readonly number[]): Attributes {
  const strides = [operator.options?.int(2) ?? 1, operator.options?.int(1) ?? 1]
  const pads = [0, 0, 0, 0]
  const isSame = operator.options?.byte(0) === 0
  for (const axis of isSame ? [0, 1] : []) {
    const from = context.dims(operator.inputs[0])[axis + 1] ?? 0
    const to = context.dims(operator.outputs[0])[axis + 1] ?? 0
    const total = Math.max(0, (to - 1) * (strides[axis] ?? 1) + (kernel[axis] ?? 1) - from)
    pads[axis] = Math.floor(total / 2)
    pads[axis + 2] = total - Math.floor(total / 2)
  }
  return { kernel_shape: { ints: kernel }, strides: { ints: strides }, pads: { ints: pads } }
}

function convertMaxPool(context: Context, operator: LiteOperator): void {
  const kernel = [operator.options?.int(4) ?? 1, operator.options?.int(3) ?? 1]
  const attributes = windowAttributes(context, operator, kernel)
  context.emit('MaxPool', operator, context.inputs(operator), attributes, operator.options?.byte(5))
}

function convertAdd(context: Context, operator: LiteOperator): void {
  context.emit('Add', operator, context.inputs(operator), {}, operator.options?.byte(0))
}

function convertPRelu(context: Context, operator: LiteOperator): void {
  const slope = context.weights(operator.inputs[1])
  const name = `${context.name(operator.outputs[0] ?? -1)}/slope`
  const turned = { ...slope, dims: [slope.data.length, 1, 1] }
  context.emit('PRelu', operator, [context.name(operator.inputs[0] ?? -1), context.constant(name, turned)])
}

function convertPad(context: Context, operator: LiteOperator): void {
  const pairs = context.value(operator.inputs[1])
  if (pairs?.type !== 'int64') throw new Error('A TFLite padding lacks its amounts')
  const pads = Array.from({ length: 8 }, () => 0)
  for (const [axis, target] of AXIS.entries()) {
    pads[target] = pairs.data[2 * axis] ?? 0
    pads[target + 4] = pairs.data[2 * axis + 1] ?? 0
  }
  const name = `${context.name(operator.outputs[0] ?? -1)}/pads`
  context.emit('Pad', operator, [
    context.name(operator.inputs[0] ?? -1),
    context.constant(name, intTensor(pads)),
  ])
}

function convertReshape(context: Context, operator: LiteOperator): void {
  const output = context.name(operator.outputs[0] ?? -1)
  const source = context.name(operator.inputs[0] ?? -1)
  const last = context.add('Transpose', [source], `${output}/last`, { perm: { ints: TO_CHANNELS_LAST } })
  // Zero keeps the input's batch size.
  const shape = [0, ...context.dims(operator.outputs[0]).slice(1)]
  context.emit('Reshape', operator, [last, context.constant(`${output}/shape`, intTensor(shape))])
}

function convertConcatenation(context: Context, operator: LiteOperator): void {
  const axis = operator.options?.int(0) ?? 0
  const isImage = context.dims(operator.outputs[0]).length === 4
  const target = isImage ? (AXIS[axis] ?? axis) : axis
  context.emit(
    'Concat',
    operator,
    context.inputs(operator),
    { axis: { i: target } },
    operator.options?.byte(1),
  )
}

function convertResize(context: Context, operator: LiteOperator): void {
  const output = context.name(operator.outputs[0] ?? -1)
  const [, height = 1, width = 1] = context.dims(operator.outputs[0])
  const [, fromHeight = 1, fromWidth = 1] = context.dims(operator.inputs[0])
  const scales: Tensor = {
    type: 'float32',
    dims: [4],
    data: Float32Array.of(1, 1, height / fromHeight, width / fromWidth),
  }
  const isHalfPixel = operator.options?.byte(3) === 1
  const placement =
    operator.options?.byte(2) === 1 ? 'align_corners' : isHalfPixel ? 'half_pixel' : 'asymmetric'
  const inputs = [context.name(operator.inputs[0] ?? -1), '', context.constant(`${output}/scales`, scales)]
  context.emit('Resize', operator, inputs, {
    mode: { s: 'linear' },
    coordinate_transformation_mode: { s: placement },
  })
}
