import type { Graph, Node } from '../../onnx/graph.ts'
import type { Constant } from './constants.ts'

/** A node, and what is done to its answer before it is written. */
export interface Fused {
  readonly node: Node
  /** A value that is added to it; it may have fewer channels. */
  readonly added?: string
  /** The node that bends what is below zero. */
  readonly bend?: Node
  /** The value that is written. */
  readonly output: string
}

const bends = new Set(['Relu', 'PRelu'])
/** What its kernel adds another value to, and what its kernel bends. */
const adds = new Set(['Conv', 'Mul'])
const bendable = new Set(['Conv', 'Add'])

/**
 * The nodes that depend on the input, in their order; a sum stands with the node whose answer it adds to, and what bends a
 * value with the node that makes it, wherever nobody else wants the value in between.
 */
export function fuse(graph: Graph, constants: ReadonlyMap<string, Constant>): Fused[] {
  const nodes = graph.nodes.filter(({ outputs }) => !constants.has(outputs[0]!))
  const users = new Map<string, Node[]>()
  for (const node of nodes)
    for (const name of node.inputs) users.set(name, [...(users.get(name) ?? []), node])
  const results = new Set(graph.outputs.map(({ name }) => name))
  const onlyUser = (name: string) => {
    const found = users.get(name) ?? []
    return found.length === 1 && !results.has(name) ? found[0] : undefined
  }
  const makers = new Map(nodes.map((node) => [node.outputs[0]!, node]))
  const summed = new Map<Node, Node>()
  for (const node of nodes) {
    const from = node.op === 'Add' ? adderOf(node, makers, onlyUser) : undefined
    if (from !== undefined) summed.set(node, from)
  }
  const later = new Set(summed.values())
  const taken = new Set<Node>()
  const fused: Fused[] = []
  for (const node of nodes) {
    if (later.has(node) || taken.has(node)) continue
    const made = node.outputs[0]!
    const next = onlyUser(made)
    const from = summed.get(node)
    const canBend = bendable.has((from ?? node).op)
    const bend = canBend && next !== undefined && bends.has(next.op) ? next : undefined
    if (bend !== undefined) taken.add(bend)
    fused.push({
      node: from ?? node,
      ...(from && { added: node.inputs.find((name) => name !== from.outputs[0])! }),
      ...(bend && { bend }),
      output: bend?.outputs[0] ?? made,
    })
  }
  return fused
}

/** The node that a sum can stand with. */
function adderOf(
  sum: Node,
  makers: ReadonlyMap<string, Node>,
  onlyUser: (name: string) => Node | undefined,
): Node | undefined {
  return sum.inputs
    .map((name) => makers.get(name))
    .find((maker) => maker && adds.has(maker.op) && isWhole(maker) && onlyUser(maker.outputs[0]!) === sum)
}

/** Not a convolution of each channel by itself. */
function isWhole({ attributes }: Node): boolean {
  return (attributes.group?.i ?? 1) === 1
}
