import type { Credential } from '../call.ts'
import type { Endpoint } from '../endpoint.ts'
import { type Fault, Problem } from '../problem.ts'

/** A call as error messages may show it, including whether it had a credential, but not which one. */
export interface AttemptedCall {
  readonly endpoint: Pick<Endpoint, 'method' | 'path'>
  readonly origin: string
  readonly credential: Credential
  readonly timeoutInMilliseconds: number
}

/** A call that got no answer from Selfsame: the connection failed, another server answered, or the call timed out. */
export class NoAnswer extends Error {
  /** `TimeoutError` if the call timed out. */
  override readonly name: 'NoAnswer' | 'TimeoutError'
  /** The platform's error code, such as `ECONNREFUSED`. Undefined if there is none. */
  declare readonly code?: string

  /** Only pass the cause if the message does not explain it, since Node prints the entire chain of causes. */
  constructor(message: string, cause: unknown, name: 'NoAnswer' | 'TimeoutError', code: string | undefined) {
    const isExplained = code !== undefined || name === 'TimeoutError' || cause instanceof SyntaxError
    super(message, isExplained ? undefined : { cause })
    this.name = name
    if (code !== undefined) this.code = code
  }
}

/**
 * Describes a failure in one sentence: the call, its destination, the error, and what to check. Never includes a key or a query string. If the
 * caller's own signal aborted the call, its reason is returned unchanged.
 */
export function inWords(error: unknown, asked: AttemptedCall): unknown {
  if (error instanceof Problem) return error.said(problemSentence(error, asked))
  if (nameOf(error) === 'AbortError') return error
  const name = nameOf(error) === 'TimeoutError' ? 'TimeoutError' : 'NoAnswer'
  return new NoAnswer(`${callOf(asked)}: ${outcomeOf(error, asked)}`, error, name, codeOf(error))
}

function callOf({ endpoint, origin }: AttemptedCall): string {
  return `${endpoint.method} ${placeOf(origin)}${endpoint.path}`
}

/** The origin without its user name and password. */
function placeOf(origin: string): string {
  return origin.replace(/^(https?:\/\/)[^/]*@/, '$1')
}

const mostFaults = 10

function problemSentence(problem: Problem, asked: AttemptedCall): string {
  const faults = problem.errors.slice(0, mostFaults).map(faultSentence)
  const what = faults.length > 0 ? faults.join(' ') : problem.detail
  const hint = problem.status === 401 ? credentialHint(asked.credential) : ''
  return `${callOf(asked)} was answered ${problem.status} (${problem.code}): ${what}${hint}`
}

/** Messages are sentences, most of them without a subject, because other programs show them without the pointer. */
function faultSentence({ pointer, message }: Fault): string {
  const predicate = /^(?:Is|Must|Requires|Has) /.exec(message)
  return predicate === null
    ? `${pointer}: ${message}`
    : `${pointer} ${predicate[0].toLowerCase()}${message.slice(predicate[0].length)}`
}

function credentialHint(credential: Credential): string {
  if (credential === undefined) return ' The client has none.'
  const [name, value] =
    'apiKey' in credential ? ['API key', credential.apiKey] : ['bearer token', credential.bearer]
  if (value === '') return ` The client's ${name} is empty.`
  return ` The client's ${name} is not valid here: it may be mistyped, expired, or for another server.`
}

function outcomeOf(error: unknown, { timeoutInMilliseconds }: AttemptedCall): string {
  if (nameOf(error) === 'TimeoutError') return `there was no answer within ${timeoutInMilliseconds / 1000} s.`
  if (error instanceof SyntaxError)
    return 'the answer is not JSON, so it did not come from Selfsame. Is the origin right?'
  const code = codeOf(error)
  if (code === 'ECONNREFUSED')
    return 'the connection was refused (ECONNREFUSED). Is the server running, and is the port right?'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the name of the host is not known (${code}). Is the origin right?`
  return `the connection failed${code === undefined ? '' : ` (${code})`}. Is the origin right, also in http or https?`
}

/** Node reports the reason as the cause, and as a list of errors if it tried several addresses. */
function codeOf(error: unknown): string | undefined {
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown }
  if (typeof code === 'string') return code
  const first = Array.isArray(errors) ? errors[0] : undefined
  const inner = cause ?? first
  return inner === undefined ? undefined : codeOf(inner)
}

function nameOf(error: unknown): unknown {
  return (error as { name?: unknown } | undefined)?.name
}

/** [Note: Keys are never shown] If a header contains a line break, the platform's own error message would include the key. */
export function checkedSecret(value: string): string {
  if (/^[\x21-\x7e]*$/.test(value)) return value
  throw new TypeError(
    "The client's credential contains an invalid character, such as a space or a line break.",
  )
}

/** @throws if the origin is not an http(s) address, before anything is sent */
export function checkedOrigin(origin: string): string {
  if (/^https?:\/\/[^/]/.test(origin)) return origin.replace(/\/$/, '')
  throw new TypeError(
    "The client's origin must begin with http:// or https://, such as http://127.0.0.1:8080.",
  )
}
