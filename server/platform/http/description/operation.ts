import { requestSchemasOf } from '#server/platform/http/requests/known-names.ts'
import { mediaTypesOf } from '#server/platform/http/requests/media-types.ts'
import { type Endpoint, scopesFor } from '#shared/endpoint.ts'
import { curlOf } from './curl.ts'
import type { Operation, Schema } from './document.ts'
import { exampleOf, responsesOf } from './responses.ts'
import { querySchemaOf, schemaOf } from './schemas.ts'
import { securityOf } from './security-schemes.ts'

/** An endpoint's position in the document. */
export interface Place {
  readonly operationId: string
  readonly tag: string
  readonly takesKeyHeader: boolean
}

export function operationOf(endpoint: Endpoint, { operationId, tag, takesKeyHeader }: Place): Operation {
  const query = endpoint.query && querySchemaOf(endpoint.query)
  const ofQuery = query === undefined ? [] : parametersOf(query, endpoint.example?.query)
  const parameters = [...ofQuery, ...(endpoint.idempotency === 'none' ? [] : [idempotencyKey])]
  return {
    operationId,
    tags: [tag],
    summary: endpoint.summary,
    description: descriptionOf(endpoint, query),
    security: securityOf(endpoint, takesKeyHeader),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined ? {} : { requestBody: requestBodyOf(endpoint) }),
    responses: responsesOf(endpoint),
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(endpoint) }],
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of your choice. Repeating the same request with it within 24 hours returns the first response and changes nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function descriptionOf(endpoint: Endpoint, query: Schema | undefined): string {
  const { description, auth } = endpoint
  const credential = [credentialWords[auth], permissionWords(endpoint)]
    .filter((part) => part !== '')
    .join(' ')
  return [description, query?.description, credential].filter((part) => part !== undefined).join('\n\n')
}

/** [Note: Ours] Every operation states its scope, even if it needs none. */
function permissionWords(endpoint: Endpoint): string {
  if (endpoint.auth !== 'key' && endpoint.auth !== 'key-or-bearer') return ''
  const scopes = scopesFor(endpoint).map((scope) => `\`${scope}\``)
  return scopes.length === 0 ? 'It needs no scope.' : `It must carry the scope ${scopes.join(' or ')}.`
}

const credentialWords: Record<Endpoint['auth'], string> = {
  none: 'Requires no credential.',
  key: 'Requires an API key; bearer tokens are refused.',
  'key-or-bearer': 'Requires an API key or a bearer token.',
  session: 'Requires the token of the session.',
  kiosk: 'Requires the token of the kiosk.',
  console: 'Requires the cookie of the console.',
}

function parametersOf({ properties = {}, required = [] }: Schema, example: unknown) {
  const values = (example ?? {}) as Record<string, unknown>
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema,
      ...(name in values ? { example: values[name] } : {}),
    }
  })
}

function requestBodyOf(endpoint: Endpoint) {
  const content = { schema: schemaOf(requestSchemasOf(endpoint).body!), ...exampleOf(endpoint.example?.body) }
  return {
    required: true,
    content: Object.fromEntries(mediaTypesOf(endpoint).map((type) => [type, content])),
  }
}
