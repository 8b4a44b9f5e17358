import type { Session } from '#models/networks/session.ts'
import type { Tensor } from '#models/picture/tensor.ts'
import type { Graph, Node } from '../../onnx/graph.ts'
import { decodeModel } from '../../onnx/onnx.ts'
import { type Constant, constantsOf } from './constants.ts'
import { type FusedNode, fuse } from './fused.ts'
import type { Kernel } from './kernel/kernel.ts'
import { bytesOf, type LoweredStep, paddedChannels, pixelsOf, type Shape } from './lowering.ts'
import { planMemory } from './memory-plan.ts'
import { lowerings } from './operators.ts'

/** The input's name in every network. */
export const input = 'input'
/** The input as it arrives, with one plane per channel. */
const planes = 'input/planes'

/** A network that the kernel runs. */
export interface Network extends Session {
  /** The names of the network's outputs. */
  readonly outputs: readonly string[]
}

/**
 * Opens a network (ONNX bytes) for pictures of one size. Its weights stay in the kernel's memory for good.
 * @throws if the kernel does not support an operator or its parameters
 */
export function openNetwork(kernel: Kernel, model: Uint8Array): Network {
  const graph = decodeModel(model)
  const size = sizeOf(graph)
  const run = prepare(kernel, graph, size)
  const count = size.channels * pixelsOf(size)
  return {
    outputs: graph.outputs.map(({ name }) => name),
    run: async ({ data, dims }) => {
      if (
        dims.slice(1).join() !== [size.channels, size.height, size.width].join() ||
        data.length !== dims[0]! * count
      )
        throw new Error(
          `the network expects an input of ${size.channels}x${size.height}x${size.width}, not ${dims}`,
        )
      const each = Array.from({ length: dims[0]! }, (_, i) => run(data.subarray(i * count, (i + 1) * count)))
      return each.length === 1 ? each[0]! : stackAnswers(each)
    },
  }
}

type Answers = Record<string, Tensor>

function stackAnswers(each: readonly Answers[]): Answers {
  const first = Object.entries(each[0]!)
  return Object.fromEntries(
    first.map(([name, { data, dims }]) => {
      const all = new Float32Array(data.length * each.length)
      for (const [i, answers] of each.entries()) all.set(answers[name]!.data, i * data.length)
      return [name, { data: all, dims: [each.length, ...dims.slice(1)] }]
    }),
  )
}

function sizeOf({ inputs }: Graph): Shape {
  const [, channels, height, width] = inputs[0]?.dims ?? []
  if (inputs.length !== 1 || inputs[0]!.name !== input)
    throw new Error('a network with more than one input is not supported')
  if (typeof channels !== 'number' || typeof height !== 'number' || typeof width !== 'number')
    throw new Error('an input of variable size is not supported')
  return { channels, height, width }
}

/** A step, named after the value that it writes. */
interface NamedStep extends LoweredStep {
  readonly output: string
}

/** Lowers a network to steps, plans the memory for their values, and returns a function that runs them on a picture's planes. */
function prepare(kernel: Kernel, graph: Graph, size: Shape): (picture: Float32Array) => Answers {
  const { steps, shapes, rootOf } = lowerGraph(kernel, graph, size)
  const results = graph.outputs.map(({ name }) => name)
  const requests = steps.map(({ output, shape, inputs, scratch = 0 }) => ({
    output,
    bytes: bytesOf(shape),
    inputs,
    scratch,
  }))
  const plan = planMemory(requests, new Set(results.map(rootOf)))
  const given = kernel.take(4 * size.channels * pixelsOf(size))
  const base = kernel.take(plan.bytes)
  const placeOf = (name: string) => (name === planes ? given : base + plan.offsets.get(rootOf(name))!)
  const runs = steps.map(({ output, inputs, bind }) =>
    bind(inputs.map(placeOf), placeOf(output), base + (plan.scratch.get(output) ?? 0)),
  )
  return (picture) => {
    kernel.numbers(given, picture.length).set(picture)
    for (const run of runs) run()
    return Object.fromEntries(
      results.map((name) => {
        const { channels, dims = [1, channels], ...shape } = shapes.get(name)!
        return [
          name,
          { data: kernel.numbers(placeOf(name), pixelsOf(shape as Shape) * channels).slice(), dims },
        ]
      }),
    )
  }
}

function lowerGraph(kernel: Kernel, graph: Graph, size: Shape) {
  const constants = constantsOf(graph)
  const shapes = new Map<string, Shape>([[planes, { ...size, dense: true }]])
  const roots = new Map<string, string>()
  const rootOf = (name: string) => roots.get(name) ?? name
  const shapeOf = (name: string) => {
    const shape = shapes.get(name)
    if (shape === undefined) throw new Error(`nothing writes ${name}`)
    return shape
  }
  const constant = (name: string | undefined) => (name === undefined ? undefined : constants.get(name))
  const steps: NamedStep[] = []
  const add = (output: string, step: LoweredStep) => {
    shapes.set(output, step.shape)
    steps.push({ ...step, inputs: step.inputs.map(rootOf), output })
  }
  add(input, interleave(kernel, size))
  for (const fused of fuse(graph, constants)) {
    const other = aliasedShape(fused, shapeOf, constant)
    if (other !== undefined) {
      shapes.set(fused.output, other)
      roots.set(fused.output, rootOf(fused.node.inputs[0]!))
      continue
    }
    const lower = lowerings[fused.node.op]
    if (lower === undefined) throw new Error(`${fused.node.op} is not supported`)
    add(fused.output, lower({ kernel, shapeOf, constant }, fused))
  }
  return { steps, shapes, rootOf }
}

function interleave(kernel: Kernel, shape: Shape): LoweredStep {
  return {
    shape,
    inputs: [planes],
    bind:
      ([from], to) =>
      () =>
        kernel.interleave(from!, to, pixelsOf(shape), shape.channels, paddedChannels(shape)),
  }
}

/** The shape of a value that is only a view of another one at the same address. */
function aliasedShape(
  { node }: FusedNode,
  shapeOf: (name: string) => Shape,
  constant: (name: string | undefined) => Constant | undefined,
): Shape | undefined {
  if (node.op === 'Flatten') return flattenedShape(shapeOf(node.inputs[0]!))
  if (node.op === 'Reshape') return reshapedShape(shapeOf(node.inputs[0]!), constant(node.inputs[1]))
  return node.op === 'Pad' ? paddedShape(node, shapeOf(node.inputs[0]!), constant) : undefined
}

function flattenedShape(shape: Shape): Shape {
  if (pixelsOf(shape) !== 1) throw new Error('Flatten of more than one pixel is not supported')
  return shape
}

function reshapedShape(shape: Shape, wanted: Constant | undefined): Shape {
  const count = pixelsOf(shape) * shape.channels
  if (!shape.dense || wanted === undefined)
    throw new Error('Reshape of anything but a dense value is not supported')
  const dims = [1, ...wanted.data.slice(1)]
  if (dims.reduce((all, side) => all * side, 1) !== count)
    throw new Error('Reshape changes the number of elements')
  return { ...shape, dims }
}

/** Padding with zero channels is just a view, because adding it to a value changes nothing there. */
function paddedShape(
  { inputs }: Node,
  shape: Shape,
  constant: (name: string | undefined) => Constant | undefined,
): Shape {
  const pads = constant(inputs[1])?.data
  if (pads === undefined || pads.some((pad, i) => i !== 5 && pad !== 0))
    throw new Error('Pad on a spatial axis is not supported')
  return shape
}
