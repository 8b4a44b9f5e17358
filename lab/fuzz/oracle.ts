import * as v from 'valibot'
import { problemBody } from '../../shared/contract/problem-body.ts'
import { endpoints } from '../../tests/support/contract/endpoints.ts'
import { strictly } from '../../tests/support/contract/strictly.ts'
import type { FuzzAnswer, FuzzRequest } from './fuzz-request.ts'

/** Statuses that every endpoint may return in addition to the declared ones. */
const everywhere = [400, 408, 413, 415, 417, 429, 431, 503]
/** Statuses outside the API, for pages, other methods and other paths. */
const elsewhere = [200, 202, 204, 301, 302, 304, 401, 403, 404, 405, 409, 410, 501]
/** Statuses from the HTTP parser itself, before the product sees the request. */
const ofTheParser = [400, 408, 413, 417, 431]

/** Describes what is wrong with an answer. Undefined if nothing is. */
export function faultOf(request: FuzzRequest, answer: FuzzAnswer): string | undefined {
  const { status } = answer
  if (status === 500) return 'an internal error'
  const { result, errors, answersWith = 200 } = endpoints.get(request.aim)!
  const expected = request.isExact ? [answersWith, ...errors] : elsewhere
  if (![...expected, ...everywhere].includes(status)) return `the status ${status}, which is not declared`
  if (status === answersWith && request.isExact) return faultOfResult(result, answer)
  if (status >= 400 && request.method !== 'HEAD') return faultOfProblem(answer)
  return undefined
}

function faultOfResult(schema: v.GenericSchema, { body, headers }: FuzzAnswer): string | undefined {
  const isText = schema.type === 'string' && headers.get('content-type')?.startsWith('text/plain') === true
  const { issues } = v.safeParse(strictly(schema), isText ? body.toString() : JSON.parse(body.toString()))
  return (
    issues && `a result that contradicts its definition: ${v.getDotPath(issues[0])}: ${issues[0].message}`
  )
}

function faultOfProblem({ status, headers, body }: FuzzAnswer): string | undefined {
  if (body.length === 0 && ofTheParser.includes(status)) return undefined
  if (headers.get('content-type') !== 'application/problem+json')
    return `a ${status} without a problem document`
  const { output, success } = v.safeParse(strictly(problemBody), JSON.parse(body.toString()))
  if (!success) return `a ${status} that contradicts the definition of a problem`
  return headers.get('x-request-id') === (output as v.InferOutput<typeof problemBody>).requestId
    ? undefined
    : `a ${status} without its request id`
}
