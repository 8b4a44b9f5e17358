import type { Operation, Schema } from './document.ts'

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>
type Content = Readonly<Record<string, { readonly schema: Schema }>>

/** Paths whose bodies and results are references, and the schemas they refer to. */
export interface NamedBodies<P extends Paths> {
  readonly paths: P
  readonly schemas: Readonly<Record<string, Schema>>
}

/**
 * Names each body and result after its operation: `CreateSessionBody`, `CreateSessionResult`. Equal ones share the first
 * name. Generated clients then have one type for each, however many media types it has. Strings and schemas that already
 * have a name are left alone.
 */
export function nameBodies<P extends Paths>(paths: P, prefix: string): NamedBodies<P> {
  const schemas: Record<string, Schema> = {}
  const nameOf = new Map<string, string>()

  function refTo(schema: Schema, name: string): Schema {
    if (schema.type === 'string' || typeof schema.$ref === 'string') return schema
    const text = JSON.stringify(schema)
    const known = nameOf.get(text) ?? name
    nameOf.set(text, known)
    schemas[known] = schema
    return { $ref: `${prefix}${known}` }
  }

  const named = (content: Content, name: string) =>
    Object.fromEntries(
      Object.entries(content).map(([type, rest]) => [type, { ...rest, schema: refTo(rest.schema, name) }]),
    )

  function operation(one: Operation): Operation {
    const name = one.operationId[0]!.toUpperCase() + one.operationId.slice(1)
    const { requestBody, responses } = one as Operation & {
      readonly requestBody?: { readonly content: Content }
      readonly responses: Readonly<Record<number, { readonly content: Content }>>
    }
    const status = successOf(responses)
    const success = { ...responses[status], content: named(responses[status]!.content, `${name}Result`) }
    return {
      ...one,
      ...(requestBody && {
        requestBody: { ...requestBody, content: named(requestBody.content, `${name}Body`) },
      }),
      responses: { ...responses, [status]: success },
    }
  }

  const entries = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, operation(one)])),
  ])
  return { paths: Object.fromEntries(entries) as P, schemas }
}

/** An operation's only success status. */
function successOf(responses: object): number {
  return Number(Object.keys(responses).find((status) => status.startsWith('2')))
}
