import { STATUS_CODES } from 'node:http'
import type { ProblemBody } from '#shared/contract/problem-body.ts'
import type { Endpoint, Idempotency } from '#shared/endpoint.ts'
import { type ProblemCode, problemStatus } from '#shared/problem-codes.ts'
import answers from './answers.json' with { type: 'json' }
import type { Schema } from './document.ts'
import { schemaOf } from './schemas.ts'

/** Failure statuses, each with its name and description in the document. */
const failures: Readonly<Record<number, { readonly name: string; readonly meaning: string }>> = {
  400: { name: 'BadRequest', meaning: 'The request is invalid; see `errors`.' },
  401: { name: 'Unauthenticated', meaning: 'The credential is missing or invalid.' },
  403: {
    name: 'Forbidden',
    meaning: 'The credential lacks the permission.',
  },
  404: { name: 'NotFound', meaning: 'Not found in this account.' },
  408: { name: 'TooSlow', meaning: 'The body arrived too slowly.' },
  409: { name: 'Conflict', meaning: 'Conflicts with what exists.' },
  410: { name: 'Gone', meaning: 'It has expired.' },
  413: { name: 'BodyTooLarge', meaning: 'The body is too large.' },
  415: {
    name: 'UnsupportedMediaType',
    meaning: 'Unsupported media type or content encoding.',
  },
  422: {
    name: 'IdempotencyKeyReused',
    meaning: 'The `Idempotency-Key` belongs to another request.',
  },
  429: { name: 'TooManyRequests', meaning: 'Rate limited; see `Retry-After`.' },
  500: { name: 'InternalError', meaning: 'Internal error.' },
  503: {
    name: 'Overloaded',
    meaning: 'Overloaded, or unable to write for now; see `code` and `Retry-After`.',
  },
}

/** The statuses that any endpoint may return, and those that any endpoint with a body may return. */
const always = [429, 500, 503]
const withBody = [408, 413, 415]
const withKey = [409, 422]

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }
const rateLimit = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
}

const replayed = { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } }

/** Headers that responses refer to. */
export const headers = {
  IdempotencyReplayed: {
    description: '`true` if this is the stored response to a repeated request; absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
  },
  RateLimit: {
    description:
      'Remaining allowance, if a limit applies: the name of the policy, `r` requests left, and `t` seconds until it is full again.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'The limit, if one applies: its name, and `q` requests per `w` seconds.',
    schema: { type: 'string' },
  },
  RequestId: {
    description: 'Identifies this response, also in the logs; quote it when you ask for help.',
    schema: { type: 'string', format: 'uuid' },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 0 },
  },
}

/** All of an endpoint's responses, by status. @throws if a status has no description yet */
export function responsesOf(endpoint: Endpoint): Record<string, unknown> {
  const isRepeatable = endpoint.idempotency !== 'none'
  const [ofBody, ofKey] = [endpoint.body ? withBody : [], isRepeatable ? withKey : []]
  const statuses = new Set([...endpoint.errors, ...ofBody, ...ofKey, ...always])
  const own = { ...requestId, ...rateLimit, ...(isRepeatable ? replayed : {}) }
  return {
    [endpoint.answersWith ?? 200]: { description: 'Success.', headers: own, content: contentOf(endpoint) },
    ...Object.fromEntries([...statuses].map((status) => [status, { $ref: refOf(status) }])),
  }
}

/** Responses that the document defines once. Only those that are referred to are included. */
export function failureResponses(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(failures).map(([status, { name }]) => [name, failureOf(Number(status))]),
  )
}

function refOf(status: number): string {
  const failure = failures[status]
  if (failure === undefined) throw new Error(`The status ${status} has no description in responses.ts.`)
  return `#/components/responses/${failure.name}`
}

function failureOf(status: number) {
  const codes = Object.keys(problemStatus).filter((code) => problemStatus[code as ProblemCode] === status)
  const schema = { $ref: '#/components/schemas/Problem' }
  const examples = codes.map((code) => [code, { value: problemOf(status, code) }])
  return {
    description: failures[status]!.meaning,
    headers: {
      ...requestId,
      ...([429, 503].includes(status) ? retryAfter : {}),
      ...(status === 429 ? rateLimit : {}),
    },
    content: { 'application/problem+json': { schema, examples: Object.fromEntries(examples) } },
  }
}

function problemOf(status: number, code: string): ProblemBody {
  return {
    type: `urn:selfsame:problem:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: failures[status]!.meaning.replaceAll('`', ''),
    code,
    requestId: '2c1b0a52-2f0c-4a5e-9d59-0c1a3b7e8f10',
    ...(status === 400 ? { errors: [{ pointer: '#/name', message: 'Is required.' }] } : {}),
  }
}

/** The same content may be requested as other types; a string is then returned unquoted, as plain text. */
function contentOf({
  result,
  textVariant,
  plainText,
  idempotency,
  example,
  method,
  path,
}: Endpoint): Record<string, unknown> {
  const schema = repeatable(schemaOf(result), idempotency)
  if (plainText === true) return { 'text/plain': { schema } }
  const variants = textVariant === true ? { 'text/plain': { schema }, 'text/json': { schema } } : {}
  const shown = example?.answer ?? recorded[`${method} ${path}`]
  return { 'application/json': { schema, ...exampleOf(shown) }, ...variants }
}

/**
 * [Note: Examples under a name] Generators copy a single `example` into the types, which doubled their size. Documentation
 * pages show both forms.
 */
export function exampleOf(value: unknown): { readonly examples?: Schema } {
  return value === undefined ? {} : { examples: { example: { value } } }
}

/**
 * Responses recorded by the contract suite (`RECORD_ANSWERS=1 npx vitest run tests/contract/statuses.test.ts`), for
 * endpoints without an example.
 */
const recorded: Readonly<Record<string, unknown>> = answers

const secretShownOnce = {
  type: 'boolean',
  description:
    'True in the response to a request repeated under an `Idempotency-Key`, which omits values that are shown only once; absent otherwise.',
}

/** A repeated request does not return values that are shown only once. */
function repeatable(whole: Schema, idempotency: Idempotency): Schema {
  if (typeof idempotency === 'string') return whole
  const { required = [], properties, ...schema } = whole
  return {
    ...schema,
    properties: { ...properties, secretShownOnce },
    required: required.filter((name) => !idempotency.redactedOnReplay.includes(name)),
  }
}
