import { STATUS_CODES } from 'node:http'
import type { Context, Middleware } from 'koa'
import { tellLimit } from '#server/platform/http/limits/limit-headers.ts'
import type { RequestState } from '#server/platform/http/requests/request-record.ts'
import type { ProblemBody } from '#shared/contract/problem-body.ts'
import { Problem } from '#shared/problem.ts'

/** Logs a failure. This type is the allow-list for its fields. */
type Tell = (fields: { requestId: string; error: unknown }, message: string) => void

/** Receives unexpected errors, and details that matter only for debugging. */
export interface Log {
  readonly error: Tell
  readonly debug: Tell
}

/** The error codes for a socket after its client has left, and for input that the parser does not recognise as HTTP. */
const codesOfClients = /^(ERR_STREAM_PREMATURE_CLOSE|ECONNRESET|EPIPE|HPE_.*)$/

/**
 * Logs that a response could not be sent. Browsers leave early, and anyone can send malformed HTTP; neither is an error in
 * this server.
 */
export function noteUnsent(log: Log, error: unknown): void {
  const isOfClient = codesOfClients.test((error as { code?: string } | null)?.code ?? '')
  const tell = isOfClient ? log.debug : log.error
  tell({ requestId: '', error }, 'A response could not be sent')
}

/** Answers each failure with an RFC 9457 body. */
export function problems(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (ctx.res.closed) return
      const state = ctx.state as RequestState
      const { requestId } = state
      if (!(error instanceof Problem)) log.error({ requestId, error }, 'A request failed unexpectedly')
      const problem =
        error instanceof Problem ? error : new Problem('internal_error', 'An internal error occurred.')
      state.code = problem.code
      answer(ctx, problem, requestId)
    }
  }
}

function answer(ctx: Context, problem: Problem, requestId: string): void {
  ctx.status = problem.status
  ctx.body = JSON.stringify(problemBodyOf(problem, requestId))
  ctx.type = 'application/problem+json'
  if (problem.status === 408) ctx.set('Connection', 'close')
  if (problem.status === 401 && !ctx.res.hasHeader('WWW-Authenticate'))
    ctx.set('WWW-Authenticate', 'Bearer, ApiKey')
  if (problem.limitUsage !== undefined) tellLimit(ctx, problem.limitUsage)
  if (problem.retryAfterInSeconds !== undefined) ctx.set('Retry-After', String(problem.retryAfterInSeconds))
}

/** A problem's body as sent. */
export function problemBodyOf(problem: Problem, requestId: string): ProblemBody {
  const { code, status } = problem
  return {
    type: `urn:selfsame:problem:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: problem.message,
    code,
    requestId,
    ...(status === 400 ? { errors: faultsOf(problem) } : {}),
    ...problem.members,
  }
}

/** A 400 always points to a place: the root if nothing more specific is known. */
function faultsOf(problem: Problem): ProblemBody['errors'] {
  if (problem.errors.length === 0) return [{ pointer: '#', message: problem.message }]
  return problem.errors.map(({ pointer, message }) => ({ pointer, message }))
}
