import { type Plugin, parseAst } from 'vite'

/** Texts of an endpoint that only the API document uses. */
const documented = new Set(['summary', 'description', 'example'])

/** Contract elements whose only argument is a description. */
const describing = new Set(['text', 'nullableText', 'timestamp', 'isoMoment', 'flag'])

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/**
 * Removes texts of the contract that only the API document uses: descriptions of schemas, and summaries, descriptions and
 * examples of endpoints. Clients need the schemas only; the type declarations keep the texts.
 */
export function withoutDescriptions(): Plugin {
  return {
    name: 'without-descriptions',
    transform(code, id) {
      if (!id.includes('/shared/contract/')) return undefined
      const found: Edit[] = []
      visit(parseAst(code) as unknown as Node, found)
      return { code: edited(code, found), map: null }
    },
  }
}

/** Replaces a part of the code. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

function visit(node: Node, found: Edit[], gone = new Set<Node>()): void {
  for (const { text, of } of textsOf(node)) {
    found.push({ start: of.start, end: of.end, text })
    gone.add(of)
  }
  for (const child of childrenOf(node)) if (!gone.has(child)) visit(child, found, gone)
}

/** The documentation texts in a call, with their replacements. */
function textsOf(node: Node): { of: Node; text: string }[] {
  if (node.type === 'CallExpression' && isDescription(node.callee as Node))
    return (node.arguments as Node[]).map((of) => ({ of, text: "''" }))
  if (node.type !== 'CallExpression' || nameOf(node.callee as Node) !== 'endpoint') return []
  const [{ properties = [] } = {}] = node.arguments as { properties?: Node[] }[]
  return properties
    .filter(({ key }) => documented.has(nameOf(key as Node | undefined) ?? ''))
    .map(({ value }) => ({ of: value as Node, text: 'undefined' }))
}

function isDescription(callee: Node): boolean {
  return (
    describing.has(nameOf(callee) ?? '') ||
    (callee.type === 'MemberExpression' &&
      nameOf(callee.object as Node) === 'v' &&
      nameOf(callee.property as Node) === 'description')
  )
}

function nameOf(node: Node | undefined): string | undefined {
  return node?.type === 'Identifier' ? (node.name as string) : undefined
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((child): child is Node => typeof (child as Node | null)?.type === 'string')
}

function edited(code: string, edits: readonly Edit[]): string {
  const descending = [...edits].sort((a, b) => b.start - a.start)
  return descending.reduce(
    (text, { start, end, text: to }) => text.slice(0, start) + to + text.slice(end),
    code,
  )
}
