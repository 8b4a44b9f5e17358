import { STATUS_CODES } from 'node:http'
import type { ProblemBody } from '#shared/contract/problem-body.ts'
import { type ProblemCode, problemStatus } from '#shared/contract/problem-codes.ts'
import type { Endpoint, Idempotency } from '#shared/endpoint.ts'
import answers from './answers.json' with { type: 'json' }
import type { Schema } from './document.ts'
import { schemaOf } from './schemas.ts'

/** What a status means, under the name that the document gives to its answer. */
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

/** Answers that any endpoint may give, and those that any with a body may give. */
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

/** The headers that answers refer to. */
export const headers = {
  IdempotencyReplayed: {
    description: '`true` where this is the first answer to a request that was repeated; absent else.',
    schema: { type: 'string', enum: ['true'] },
  },
  RateLimit: {
    description:
      'Where a limit applies, what is left of it: the name of the policy, `r` requests, and `t` seconds until it is whole.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'Where a limit applies: its name, and `q` requests in `w` seconds.',
    schema: { type: 'string' },
  },
  RequestId: {
    description: 'Names this answer, in the logs too; quote it when you ask for help.',
    schema: { type: 'string', format: 'uuid' },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 0 },
  },
}

/** Every answer of an endpoint by its status. @throws where a status has no words yet */
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

/** The answers that stand in the document once; the used ones are picked by their references. */
export function failureResponses(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(failures).map(([status, { name }]) => [name, failureOf(Number(status))]),
  )
}

function refOf(status: number): string {
  const failure = failures[status]
  if (failure === undefined) throw new Error(`The status ${status} has no words in responses.ts.`)
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

/** The same text may be asked for under other types; a string then comes without quotes as plain text. */
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

/** [Note: Examples under a name] Generators copy a single `example` into the types, which it doubled; pages show both forms. */
export function exampleOf(value: unknown): { readonly examples?: Schema } {
  return value === undefined ? {} : { examples: { example: { value } } }
}

/** Answers that the contract suite got (`RECORD_ANSWERS=1 npx vitest run tests/contract/statuses.test.ts`), for endpoints that give no example of their own. */
const recorded: Readonly<Record<string, unknown>> = answers

const secretShownOnce = {
  type: 'boolean',
  description:
    'True in the answer to a repeat under an `Idempotency-Key`, which lacks what is shown only once; absent otherwise.',
}

/** What is shown only once is missing from the answer to a repeat. */
function repeatable(whole: Schema, idempotency: Idempotency): Schema {
  if (typeof idempotency === 'string') return whole
  const { required = [], properties, ...schema } = whole
  return {
    ...schema,
    properties: { ...properties, secretShownOnce },
    required: required.filter((name) => !idempotency.redactedOnReplay.includes(name)),
  }
}
