import { catalogue } from '#shared/contract/catalogue.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { hosts, type Role } from '#shared/hosts.ts'
import type { Description, Operation, Schema } from './document.ts'
import { nameBodies } from './named-bodies.ts'
import { nameSections } from './named-sections.ts'
import { operationOf } from './operation.ts'
import { failureResponses, headers } from './responses.ts'
import { componentsOf, prefix } from './schemas.ts'
import { securitySchemesOf } from './security-schemes.ts'
import { describeWebhooks } from './webhooks.ts'

const everyService = 'Every service'

/** An endpoint with its operation ID and its role; the role is undefined if several roles share the endpoint. */
interface Entry {
  readonly name: string
  readonly role: Role | undefined
  readonly endpoint: Endpoint
}

/**
 * Builds the OpenAPI 3.1 document for a host that serves these roles from the endpoint definitions.
 * @throws if the document cannot express something: a rule without a sentence, or a transformation without a schema
 */
export function describe(roles: readonly Role[]): Description {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const entry of entriesOf(roles)) {
    const { path, method } = entry.endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(entry) }
  }
  const { paths: named, schemas } = nameBodies(paths, prefix)
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const sendsEvents = roles.includes('configuration')
  const webhooks = sendsEvents ? { webhooks: describeWebhooks(hosts.configuration.name) } : {}
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The server that serves this document.' }],
    tags: tagsOf(roles),
    paths: named,
    ...webhooks,
    components: { securitySchemes: securitySchemesOf(operations), ...referredBy([named, webhooks], schemas) },
  }
}

const info = {
  title: 'Selfsame',
  version: 'v1',
  summary: 'Face verification: liveness, age, recognition.',
  description:
    'Timestamps are ISO 8601 in UTC. Failures are `application/problem+json` with a stable `code`. Every response carries `X-Request-Id`.',
  license: { name: 'MIT', identifier: 'MIT' },
  contact: { name: 'Selfsame' },
}

/** Lists each endpoint once, even if several roles share it. */
function entriesOf(roles: readonly Role[]): Entry[] {
  const entries = new Map<Endpoint, Entry>()
  for (const role of roles) {
    for (const [name, endpoint] of Object.entries<Endpoint>(catalogue[role])) {
      if (entries.has(endpoint)) continue
      entries.set(endpoint, { name, endpoint, role: isShared(endpoint) ? undefined : role })
    }
  }
  return [...entries.values()]
}

function isShared(endpoint: Endpoint): boolean {
  return (
    Object.values(catalogue).filter((role) => Object.values<Endpoint>(role).includes(endpoint)).length > 1
  )
}

function operation({ name, role, endpoint }: Entry): Operation {
  return operationOf(endpoint, {
    operationId: role === undefined || isUnique(name) ? name : prefixed(role, name),
    tag: role === undefined ? everyService : hosts[role].name,
    takesKeyHeader: role === 'verify',
  })
}

/** True if no other role has an endpoint with this name, mounted here or not, so operation IDs are the same on every host. */
function isUnique(name: string): boolean {
  const namesakes = Object.values<Record<string, Endpoint>>(catalogue).flatMap((role) => role[name] ?? [])
  return new Set(namesakes).size === 1
}

function prefixed(role: Role, name: string): string {
  const beginning = role.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return beginning + name[0]!.toUpperCase() + name.slice(1)
}

function tagsOf(roles: readonly Role[]) {
  const own = roles
    .filter((role) => !Object.values<Endpoint>(catalogue[role]).every(isShared))
    .map((role) => ({ name: hosts[role].name, description: hosts[role].purpose }))
  return [{ name: everyService, description: 'Endpoints that every service answers.' }, ...own]
}

/** Only the components that the document refers to. */
function referredBy(part: unknown, own: Readonly<Record<string, Schema>>) {
  const responses = pick(failureResponses(), 'responses', part)
  const schemas = nameSections(componentsOf([part, responses], own), 'VerificationConfig', prefix)
  return { headers: pick(headers, 'headers', [part, responses]), responses, schemas }
}

function pick(components: Record<string, unknown>, kind: string, part: unknown): Record<string, unknown> {
  const text = JSON.stringify(part)
  return Object.fromEntries(
    Object.entries(components).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  )
}
