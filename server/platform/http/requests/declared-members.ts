import type * as v from 'valibot'
import { otherNamesOf, ownPrefix } from '#shared/contract/sections.ts'
import { type IgnoredNames, mostIgnoredNames } from './ignored-names.ts'

/** The parts of a valibot schema that contain other schemas. */
type Parts = Readonly<{
  type: string
  pipe?: readonly Schema[]
  entries?: Readonly<Record<string, Schema>>
  wrapped?: Schema
  item?: Schema
}>
type Schema = v.GenericSchema & Parts

/**
 * Keeps the members that an interface schema declares, and collects the names of all others.
 * [Note: Null counts as absent] Typed clients send null for optional members that they do not use, so null is dropped unless
 * the schema gives it a meaning. Free-form objects and list items are kept as sent.
 */
export function declaredMembers(schema: v.GenericSchema, sent: unknown, ignored: IgnoredNames): unknown {
  return membersRead(schema as Schema, sent, ignored)
}

function membersRead(schema: Schema, sent: unknown, ignored: IgnoredNames): unknown {
  const { pipe, wrapped, item, entries } = schema
  if (typeof sent !== 'object' || sent === null || !holdsObjects(schema)) return sent
  if (pipe !== undefined) return membersRead(pipe[0]!, sent, ignored)
  if (wrapped !== undefined) return membersRead(wrapped, sent, ignored)
  if (item !== undefined)
    return Array.isArray(sent) ? sent.map((one) => membersRead(item, one, ignored)) : sent
  if (entries === undefined || Array.isArray(sent)) return sent
  const takesOwn = otherNamesOf(schema) === 'own'
  const members: [string, unknown][] = []
  for (const [name, value] of Object.entries(sent)) {
    const declared = Object.hasOwn(entries, name) ? entries[name]! : undefined
    if (declared === undefined) {
      if (!(takesOwn && name.startsWith(ownPrefix))) note(ignored, name, entries)
      members.push([name, value])
    } else if (value !== null || !isOptionalWithoutNull(declared)) {
      members.push([name, membersRead(declared, value, ignored)])
    }
  }
  return Object.fromEntries(members)
}

function note(ignored: IgnoredNames, name: string, entries: object): void {
  if (ignored.size < mostIgnoredNames && !ignored.has(name)) ignored.set(name, Object.keys(entries))
}

function isOptionalWithoutNull(schema: Schema): boolean {
  return schema.type === 'optional' && !takesNull(schema.wrapped!)
}

function takesNull({ type, pipe, wrapped }: Schema): boolean {
  if (type === 'nullable' || type === 'nullish' || type === 'any' || type === 'unknown') return true
  if (pipe !== undefined) return takesNull(pipe[0]!)
  return wrapped !== undefined && takesNull(wrapped)
}

const holding = new WeakMap<Schema, boolean>()

/** Lists of numbers and strings may be long, so they are not traversed. */
function holdsObjects(schema: Schema): boolean {
  const known = holding.get(schema)
  if (known !== undefined) return known
  const { pipe, wrapped, item, entries } = schema
  const inner = pipe?.[0] ?? wrapped ?? item
  const holds = entries !== undefined || (inner !== undefined && inner !== schema && holdsObjects(inner))
  holding.set(schema, holds)
  return holds
}
