import type * as v from 'valibot'

/** The parts of a schema or a pipe step from which its description is derived. */
type Node = Readonly<{
  kind: string
  type: string
  pipe?: readonly Node[]
  wrapped?: Node
  entries?: Readonly<Record<string, Node>>
  item?: Node
  value?: Node
  options?: readonly unknown[]
  literal?: unknown
  requirement?: unknown
  message?: unknown
}>

/**
 * Describes the values that a schema accepts at a path, to follow `Must be`: `a whole number from 1 to 100, or null`.
 * Undefined if the schema has nothing to say about that path. [Note: What is allowed is said] The words are derived from
 * the schema, so they cannot contradict it, and they never repeat the value that was sent.
 */
export function allowedAt(schema: v.GenericSchema, path: readonly unknown[]): string | undefined {
  const found = path.reduce<Node | undefined>((node, key) => node && within(node, String(key)), schema)
  return found && wordsOf(found)
}

function within(node: Node, key: string): Node | undefined {
  if (node.wrapped !== undefined) return within(node.wrapped, key)
  if (node.entries !== undefined) return node.entries[key]
  if (node.item !== undefined) return node.item
  if (node.type === 'record') return node.value
  const options = node.type === 'union' ? (node.options as readonly Node[]) : []
  return options.map((option) => within(option, key)).find((inner) => inner !== undefined)
}

function wordsOf(node: Node): string | undefined {
  const { wrapped, type } = node
  if (wrapped === undefined) return plainWordsOf(node)
  const inner = wordsOf(wrapped)
  return type === 'nullable' || type === 'nullish' ? inner && `${inner}, or null` : inner
}

/** Pipes can be nested. */
function stepsOf(node: Node): readonly Node[] {
  return node.pipe === undefined ? [node] : node.pipe.flatMap(stepsOf)
}

/** A number in a query arrives as text and is converted. The pipe's last schema describes the accepted values. */
function plainWordsOf(node: Node): string | undefined {
  const steps = stepsOf(node)
  const schema = steps.filter(({ kind }) => kind === 'schema').at(-1)!
  if (schema.wrapped !== undefined) return wordsOf(schema)
  const limits = steps.filter(({ kind }) => kind === 'validation')
  const { type, options = [], literal } = schema
  if (type === 'picklist') return either(options.map(String))
  if (type === 'literal') return String(literal)
  if (type === 'union') return eitherOf(options as readonly Node[])
  if (type === 'number') return numberWords(limits)
  if (type === 'string') return stringWords(limits)
  return plain[type]
}

const plain: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

function eitherOf(options: readonly Node[]): string | undefined {
  const words = options.map(wordsOf)
  return words.every((one) => one !== undefined) ? either(words) : undefined
}

function either(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function numberWords(limits: readonly Node[]): string {
  const what = limits.some(({ type }) => type === 'integer') ? 'a whole number' : 'a number'
  return `${what}${span(limitOf(limits, 'min_value'), limitOf(limits, 'max_value'))}`
}

/** A named format such as `a UUID` says more than its length does. */
function stringWords(limits: readonly Node[]): string {
  const form = limits.map(({ message }) => formIn(message)).find((words) => words !== undefined)
  if (form !== undefined) return form
  const [least, most] = [limitOf(limits, 'min_length'), limitOf(limits, 'max_length')]
  if (most === undefined) return least === undefined ? 'a string' : 'a string that is not empty'
  return `a string of ${least === undefined ? 'at most' : `${least} to`} ${most} characters`
}

const formInWords = /^Must be (an? .*)\.$/

function formIn(message: unknown): string | undefined {
  return typeof message === 'string' ? formInWords.exec(message)?.[1] : undefined
}

function limitOf(limits: readonly Node[], wanted: string): number | undefined {
  const limit = limits.find(({ type }) => type === wanted)?.requirement
  return typeof limit === 'number' && limit < Number.MAX_SAFE_INTEGER ? limit : undefined
}

function span(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`
  if (least !== undefined) return ` of at least ${least}`
  return most === undefined ? '' : ` of at most ${most}`
}
