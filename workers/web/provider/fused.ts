import type { Graph, Node } from '../../onnx/graph.ts'
import type { Constant } from './constants.ts'

/** A node plus the operations applied to its result before it is written. */
export interface FusedNode {
  readonly node: Node
  /** A value to add to the result, possibly with fewer channels. */
  readonly added?: string
  /** The activation to apply to the result. */
  readonly activation?: Node
  /** The name under which the result is written. */
  readonly output: string
}

const activations = new Set(['Relu', 'PRelu'])
/** Operators with kernels that can also add another value, and operators with kernels that can also apply an activation. */
const addable = new Set(['Conv', 'Mul'])
const activatable = new Set(['Conv', 'Add'])

/**
 * The nodes that depend on the input, in order. An Add is fused with the node that computes one of its operands, and an activation with the node
 * before it, unless the value in between is also read elsewhere.
 */
export function fuse(graph: Graph, constants: ReadonlyMap<string, Constant>): FusedNode[] {
  const nodes = graph.nodes.filter(({ outputs }) => !constants.has(outputs[0]!))
  const users = new Map<string, Node[]>()
  for (const node of nodes)
    for (const name of node.inputs) users.set(name, [...(users.get(name) ?? []), node])
  const results = new Set(graph.outputs.map(({ name }) => name))
  const onlyUser = (name: string) => {
    const found = users.get(name) ?? []
    return found.length === 1 && !results.has(name) ? found[0] : undefined
  }
  const producers = new Map(nodes.map((node) => [node.outputs[0]!, node]))
  const summed = new Map<Node, Node>()
  for (const node of nodes) {
    const from = node.op === 'Add' ? producerToFuse(node, producers, onlyUser) : undefined
    if (from !== undefined) summed.set(node, from)
  }
  const later = new Set(summed.values())
  const taken = new Set<Node>()
  const fused: FusedNode[] = []
  for (const node of nodes) {
    if (later.has(node) || taken.has(node)) continue
    const made = node.outputs[0]!
    const next = onlyUser(made)
    const from = summed.get(node)
    const canFuse = activatable.has((from ?? node).op)
    const activation = canFuse && next !== undefined && activations.has(next.op) ? next : undefined
    if (activation !== undefined) taken.add(activation)
    fused.push({
      node: from ?? node,
      ...(from && { added: node.inputs.find((name) => name !== from.outputs[0])! }),
      ...(activation && { activation }),
      output: activation?.outputs[0] ?? made,
    })
  }
  return fused
}

/** Finds the node that an Add can be fused with. */
function producerToFuse(
  sum: Node,
  producers: ReadonlyMap<string, Node>,
  onlyUser: (name: string) => Node | undefined,
): Node | undefined {
  return sum.inputs
    .map((name) => producers.get(name))
    .find((maker) => maker && addable.has(maker.op) && isDense(maker) && onlyUser(maker.outputs[0]!) === sum)
}

/** True for a convolution that is not depthwise. */
function isDense({ attributes }: Node): boolean {
  return (attributes.group?.i ?? 1) === 1
}
