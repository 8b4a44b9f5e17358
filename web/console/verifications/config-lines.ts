import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'

/** A place in a text: its line, counted from 1, and the characters there. */
export interface TextPlace {
  readonly line: number
  readonly from: number
  readonly to: number
}

/** Where a member such as `redirectConfig/passedUrl` is in a JSON text; for one that is missing, where it would be. */
export function placeInJson(text: string, path: string): TextPlace | undefined {
  const root = parseTree(text)
  if (root === undefined) return
  let node: Node = root
  for (const name of path.split('/').filter((part) => part !== '')) {
    const within = findNodeAtLocation(node, [node.type === 'array' ? Number(name) : nameOf(name)])
    if (within === undefined) break
    node = within
  }
  // With its name, where it has one; of what goes over several lines the name alone.
  const owner = node.parent?.type === 'property' ? node.parent : node
  const end = node.type === 'object' || node.type === 'array' ? (owner.children?.[0] ?? owner) : owner
  return placeOf(text, owner.offset, owner === node ? owner.offset : end.offset + end.length)
}

/** Where a text stops being JSON. */
export function faultInJson(text: string): TextPlace {
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true })
  const { offset, length } = errors[0] ?? { offset: 0, length: text.length }
  return placeOf(text, offset, offset + length)
}

/** A name as it stood in the JSON pointer. */
const nameOf = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

function placeOf(text: string, from: number, to: number): TextPlace {
  return { line: text.slice(0, from).split('\n').length, from, to }
}
