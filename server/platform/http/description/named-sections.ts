import type { Schema } from './document.ts'

type Schemas = Readonly<Record<string, Schema>>
type Visit = (key: string, section: Schema) => Schema

/**
 * Names each configuration section after its member (`redirectConfig` is a `RedirectConfig`, `liveness` a `LivenessConfig`)
 * and makes every equal object refer to it, so that generated clients have one type for each. Objects that contain text by
 * language, which is one of two accepted forms for their member, are named `WordsByLanguage`.
 * @throws if a section would take another schema's name
 */
export function nameSections(schemas: Schemas, configuration: string, prefix: string): Schemas {
  const root = schemas[configuration]
  if (root === undefined) return schemas
  const shared: Record<string, Schema> = {}
  const nameOf = new Map<string, string>()

  function keep(name: string, schema: Schema): void {
    if (name in shared) throw new Error(`Two schemas would have the name ${name}.`)
    shared[name] = schema
    nameOf.set(shapeOf(schema), name)
  }

  const refTo = (name: string, { description }: Schema): Schema =>
    description === undefined ? { $ref: `${prefix}${name}` } : { description, $ref: `${prefix}${name}` }

  const named: Visit = (member, section) => {
    const name = nameOf.get(shapeOf(section)) ?? sectionName(member, section)
    if (!(name in shared)) keep(name, section)
    return refTo(name, section)
  }
  const known: Visit = (_, section) => {
    const name = nameOf.get(shapeOf(section))
    return name === undefined ? section : refTo(name, section)
  }

  keep(configuration, eachSection(root, named))
  for (const [name, schema] of Object.entries(schemas))
    if (name !== configuration && isNamedForItself(name)) keep(name, schema)
  const others = Object.entries(schemas).filter(([name]) => name !== configuration)
  const rewritten = others.map(([name, schema]) => [name, eachSection(schema, known)] as const)
  return sorted({ ...shared, ...Object.fromEntries(rewritten) })
}

/** Bodies and results are named after their operations, and an equal section is a coincidence. */
function isNamedForItself(name: string): boolean {
  return !/(Body|Result)$/.test(name)
}

function sectionName(member: string, { properties }: Schema): string {
  // A member's alternatives are listed under their index.
  if (/^\d+$/.test(member) && 'default' in (properties ?? {})) return 'WordsByLanguage'
  const word = member[0]!.toUpperCase() + member.slice(1)
  return /(Configs?|Settings)$/.test(word) ? word : `${word}Config`
}

/** Rewrites every object in a schema that declares members, innermost first. The schema itself is not rewritten. */
function eachSection(schema: Schema, visit: Visit): Schema {
  const inner = JSON.parse(JSON.stringify({ schema }), (key, value) =>
    key !== 'schema' && isSection(value) ? visit(key, value) : value,
  ) as { schema: Schema }
  return inner.schema
}

function isSection(value: unknown): value is Schema {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Schema).type === 'object' &&
    (value as Schema).properties !== undefined
  )
}

/** Ignores descriptions, because some equal objects are described where they are used. */
function shapeOf({ description, ...rest }: Schema): string {
  return JSON.stringify(rest)
}

function sorted(schemas: Schemas): Schemas {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
}
