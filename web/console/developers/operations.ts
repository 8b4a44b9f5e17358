import { consoleBasePath } from '#shared/contract/console/console-paths.ts'
import { type ConsoleOperation, consoleOperations } from '#shared/contract/console-operations.ts'
import type { OperatorRole } from '#shared/operator-roles.ts'

/** A query parameter. */
export interface Parameter {
  readonly name: string
  readonly description: string
  readonly isRequired: boolean
  /** The allowed values; empty if any text is allowed. */
  readonly choices: readonly string[]
}

/** One endpoint from the API document. */
export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly query: readonly Parameter[]
  /** An example body that works after small changes, or undefined. */
  readonly example: unknown
}

interface ValueSet {
  readonly enum?: readonly unknown[]
}

interface DocumentParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: ValueSet & { readonly $ref?: string }
}

interface Content {
  readonly examples?: { readonly example: { readonly value: unknown } }
}

interface DocumentOperation {
  readonly operationId: string
  readonly summary?: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly DocumentParameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
}

/** The parts of an OpenAPI document that are used here. */
export interface ApiDocument {
  readonly components: { readonly schemas?: Readonly<Record<string, ValueSet>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
}

/** The endpoints that accept a key, sorted by path. The console may call them too. */
export function operationsOf({ paths, components: { schemas = {} } }: ApiDocument): Operation[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method, described })),
  )
  const keyed = all.filter(
    ({ described: { operationId, security = [] } }) =>
      security.some((one) => 'ApiKey' in one) &&
      Object.hasOwn(consoleOperations, operationId) &&
      consoleOperations[operationId as ConsoleOperation].roles.length > 0,
  )
  return keyed
    .map(({ path, method, described }) => operationOf(path, method, described, schemas))
    .sort((a, b) => a.path.localeCompare(b.path))
}

function operationOf(
  path: string,
  method: string,
  described: DocumentOperation,
  schemas: Readonly<Record<string, ValueSet>>,
): Operation {
  const { operationId, summary = '', parameters = [], requestBody } = described
  const query = parameters.filter((one) => one.in === 'query')
  return {
    name: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    query: query.map(({ name, description = '', required = false, schema }) => ({
      name,
      description,
      isRequired: required,
      choices: (schema?.enum ?? schemas[nameIn(schema?.$ref)]?.enum ?? []).map(String),
    })),
    example: requestBody && (requestBody.content['application/json']?.examples?.example.value ?? {}),
  }
}

/** The last segment of a reference. */
function nameIn(reference = ''): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** The operations that contain every search word in their name, path or summary. */
export function matching(operations: readonly Operation[], wanted: string): Operation[] {
  const words = wanted.toLowerCase().split(/\s+/)
  return operations.filter(({ name, path, summary }) => {
    const text = `${name} ${path} ${summary}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** True if the role may call the operation. */
export function isFor(role: OperatorRole, { name }: Operation): boolean {
  return consoleOperations[name as ConsoleOperation].roles.includes(role)
}

type Query = Readonly<Record<string, string>>

/** The operation's address below the console's base path. Empty parameters are left out. */
export function addressOf({ path }: Operation, query: Query): string {
  return consoleBasePath + path + searchOf(query)
}

/** The same call as a curl command, with a placeholder for the key. */
export function curlOf(origin: string, { method, path }: Operation, query: Query, body?: string): string {
  const lines = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} '${origin}${path}${searchOf(query)}'`,
    `-H "Authorization: ApiKey $SELFSAME_API_KEY"`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${body.replaceAll("'", "'\\''")}'`]),
  ]
  return lines.join(' \\\n  ')
}

function searchOf(query: Query): string {
  const sent = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  return sent === '' ? '' : `?${sent.replaceAll("'", '%27')}`
}

/** Pretty-prints JSON and leaves any other text unchanged. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
