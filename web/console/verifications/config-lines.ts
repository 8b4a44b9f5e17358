import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'

/** A place in a text: the line number, counted from 1, and a range of characters. */
export interface TextPlace {
  readonly line: number
  readonly from: number
  readonly to: number
}

/** The position of a member such as `redirectConfig/passedUrl` in a JSON text, or the position at which it is missing. */
export function placeInJson(text: string, path: string): TextPlace | undefined {
  const root = parseTree(text)
  if (root === undefined) return
  let node: Node = root
  for (const name of path.split('/').filter((part) => part !== '')) {
    const within = findNodeAtLocation(node, [node.type === 'array' ? Number(name) : nameOf(name)])
    if (within === undefined) break
    node = within
  }
  // Includes the member's name, if it has one. For values that span several lines, only the name is marked.
  const owner = node.parent?.type === 'property' ? node.parent : node
  const end = node.type === 'object' || node.type === 'array' ? (owner.children?.[0] ?? owner) : owner
  return placeOf(text, owner.offset, owner === node ? owner.offset : end.offset + end.length)
}

/** Finds the place at which a text stops being valid JSON. */
export function faultInJson(text: string): TextPlace {
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true })
  const { offset, length } = errors[0] ?? { offset: 0, length: text.length }
  return placeOf(text, offset, offset + length)
}

/** Decodes a name from a JSON pointer. */
const nameOf = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

function placeOf(text: string, from: number, to: number): TextPlace {
  return { line: text.slice(0, from).split('\n').length, from, to }
}
