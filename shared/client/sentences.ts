import type { Credential } from '../call.ts'
import type { Endpoint } from '../endpoint.ts'
import { Problem } from '../problem.ts'

/** One call, as far as it may be shown: of the credential only whether there was one. */
export interface Asked {
  readonly endpoint: Pick<Endpoint, 'method' | 'path'>
  readonly origin: string
  readonly credential: Credential
  readonly timeoutInMilliseconds: number
}

/** A call that Selfsame gave no answer to: nothing listens there, something else does, or the time was over. */
export class NoAnswer extends Error {
  /** `TimeoutError` where the time was over. */
  override readonly name: 'NoAnswer' | 'TimeoutError'
  /** What the platform calls it, such as `ECONNREFUSED`; undefined where it has no word for it. */
  declare readonly code?: string

  /** The cause is given with it only where the message does not say what it was: Node prints it, with every cause behind it. */
  constructor(message: string, cause: unknown, name: 'NoAnswer' | 'TimeoutError', code: string | undefined) {
    const isExplained = code !== undefined || name === 'TimeoutError' || cause instanceof SyntaxError
    super(message, isExplained ? undefined : { cause })
    this.name = name
    if (code !== undefined) this.code = code
  }
}

/**
 * What a call failed with, in one sentence that names the call, where it went, what came of it and what to look at; never a key or a query.
 * A caller's own signal is handed on as it is.
 */
export function inWords(error: unknown, asked: Asked): unknown {
  if (error instanceof Problem) return error.said(problemSentence(error, asked))
  if (nameOf(error) === 'AbortError') return error
  const name = nameOf(error) === 'TimeoutError' ? 'TimeoutError' : 'NoAnswer'
  return new NoAnswer(`${callOf(asked)}: ${outcomeOf(error, asked)}`, error, name, codeOf(error))
}

function callOf({ endpoint, origin }: Asked): string {
  return `${endpoint.method} ${placeOf(origin)}${endpoint.path}`
}

/** Without what may stand before a host in an address: a name and a password. */
function placeOf(origin: string): string {
  return origin.replace(/^(https?:\/\/)[^/]*@/, '$1')
}

const mostFaults = 10

function problemSentence(problem: Problem, asked: Asked): string {
  const faults = problem.errors.slice(0, mostFaults).map(({ pointer, message }) => `${pointer} ${message}`)
  const what = faults.length > 0 ? faults.join(' ') : problem.detail
  const hint = problem.status === 401 ? credentialHint(asked.credential) : ''
  return `${callOf(asked)} was answered ${problem.status} (${problem.code}): ${what}${hint}`
}

function credentialHint(credential: Credential): string {
  if (credential === undefined) return ' None was given to the client.'
  const [name, value] =
    'apiKey' in credential ? ['API key', credential.apiKey] : ['bearer token', credential.bearer]
  if (value === '') return ` The ${name} that the client was given is empty.`
  return ` The ${name} that the client was given is not valid here: it may be mistyped, out of date, or of another server.`
}

function outcomeOf(error: unknown, { timeoutInMilliseconds }: Asked): string {
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

/** Node puts what went wrong into the cause, and of several addresses into its list. */
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

/** [Note: Keys are never shown] A header with a line break is refused by the platform in words that repeat it. */
export function checkedSecret(value: string): string {
  if (/^[\x21-\x7e]*$/.test(value)) return value
  throw new TypeError(
    "The client's credential contains an invalid character, such as a space or a line break.",
  )
}

/** @throws where an origin is none, before anything is sent */
export function checkedOrigin(origin: string): string {
  if (/^https?:\/\/[^/]/.test(origin)) return origin.replace(/\/$/, '')
  throw new TypeError(
    "The client's origin must begin with http:// or https://, such as http://127.0.0.1:8080.",
  )
}
