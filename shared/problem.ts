import * as v from 'valibot'

/** Every code that an error body may carry, and the HTTP status it travels with. Codes are stable; titles are not. */
export const problemStatus = {
  invalid_request: 400,
  unreadable_image: 400,
  unauthenticated: 401,
  signature_invalid: 401,
  forbidden: 403,
  not_found: 404,
  session_not_completed: 404,
  method_not_allowed: 405,
  conflict: 409,
  step_out_of_order: 409,
  session_closed: 409,
  link_expired: 410,
  link_already_used: 410,
  session_expired: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  internal_error: 500,
  overloaded: 503,
} as const satisfies Record<string, number>

export type ProblemCode = keyof typeof problemStatus

/** One fault of a request: where it is (a JSON pointer such as `#/name`, or `#/query/NAME`) and what is wrong. */
export interface Fault {
  pointer: string
  message: string
}

/** Ends a request. `detail` is shown to the caller: it names the rule, never a value or a secret. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly errors: readonly Fault[]
  readonly retryAfterInSeconds: number | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    more: { errors?: readonly Fault[]; retryAfterInSeconds?: number } = {},
  ) {
    super(detail)
    this.name = 'Problem'
    this.code = code
    this.errors = more.errors ?? []
    this.retryAfterInSeconds = more.retryAfterInSeconds
  }

  get status(): number {
    return problemStatus[this.code]
  }
}

/** The body of every answer that is not a success (RFC 9457, `application/problem+json`). */
export const problemBody = v.object({
  type: v.string(),
  title: v.string(),
  status: v.pipe(v.number(), v.integer()),
  detail: v.string(),
  code: v.string(),
  requestId: v.string(),
  errors: v.optional(v.array(v.object({ pointer: v.string(), message: v.string() }))),
})

export type ProblemBody = v.InferOutput<typeof problemBody>
