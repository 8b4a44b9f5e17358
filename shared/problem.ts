import * as v from 'valibot'
import { type Theme, theme } from './contract/sessions/theme.ts'

/** Every code that an error body may carry, and the HTTP status it travels with. Codes are stable; titles are not. */
export const problemStatus = {
  invalid_request: 400,
  unknown_name: 400,
  unreadable_image: 400,
  capture_refused: 400,
  unauthenticated: 401,
  signature_invalid: 401,
  clock_drift: 401,
  forbidden: 403,
  kiosk_revoked: 403,
  passkey_needed: 403,
  console_moved: 403,
  not_found: 404,
  session_not_completed: 404,
  verification_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  limit_reached: 409,
  idempotency_in_progress: 409,
  idempotency_interrupted: 409,
  sequence_used: 409,
  step_out_of_order: 409,
  session_closed: 409,
  session_completed: 409,
  session_begun: 409,
  already_reviewed: 409,
  session_handed_over: 409,
  passkey_unavailable: 409,
  link_expired: 410,
  link_already_used: 410,
  session_expired: 410,
  handoff_expired: 410,
  pairing_expired: 410,
  request_timeout: 408,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  too_many_requests: 429,
  headers_too_large: 431,
  internal_error: 500,
  provider_failed: 502,
  overloaded: 503,
  not_ready: 503,
  store_read_only: 507,
} as const satisfies Record<string, number>

export type ProblemCode = keyof typeof problemStatus

/** One fault of a request: where it is (a JSON pointer such as `#/name`, or `#/query/NAME`) and what is wrong. */
export interface Fault {
  pointer: string
  message: string
}

/** How much of a limit is used: `left` of `limit` in a window, and when it is whole again. */
export interface LimitUsage {
  policy: string
  limit: number
  windowInSeconds: number
  left: number
  resetsInSeconds: number
}

interface ProblemDetails {
  /** Instead of the detail, as the message of the error. */
  sentence?: string
  errors?: readonly Fault[]
  retryAfterInSeconds?: number
  limitUsage?: LimitUsage
  requestId?: string | undefined
  theme?: Theme
  /** Where it is not that of the code: an answer that is none of ours. */
  status?: number
}

/** A member's name as it stands in a JSON pointer (RFC 6901). */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Ends a request. `detail` is shown to the caller: it names the rule, never a value or a secret. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number

  /** [Note: Printed errors are short] What is often absent is no member of its own: Node prints those of an error that nobody caught. */
  readonly #told: ProblemDetails
  readonly #detail: string

  constructor(code: ProblemCode, detail: string, more: ProblemDetails = {}) {
    super(more.sentence ?? detail)
    this.name = 'Problem'
    this.#told = more
    this.#detail = detail
    this.code = code
    this.status = more.status ?? problemStatus[code]
  }

  /** What went wrong, as the server says it. */
  get detail(): string {
    return this.#detail
  }

  get errors(): readonly Fault[] {
    return this.#told.errors ?? []
  }

  get retryAfterInSeconds(): number | undefined {
    return this.#told.retryAfterInSeconds
  }

  /** On the server's side: the limit that was reached. */
  get limitUsage(): LimitUsage | undefined {
    return this.#told.limitUsage
  }

  /** On the client's side: the answer's `X-Request-Id`. */
  get requestId(): string | undefined {
    return this.#told.requestId
  }

  /** Beside a link that does not open: how whoever sent it appears. */
  get theme(): Theme | undefined {
    return this.#told.theme
  }

  /** The same, told with the looks of whoever sent the link. */
  sentBy(theme: Theme): Problem {
    return new Problem(this.code, this.#detail, { ...this.#told, theme })
  }

  /** The same, with another message for whoever reads it off a terminal. */
  said(sentence: string): Problem {
    return new Problem(this.code, this.#detail, { ...this.#told, sentence })
  }

  /** The one way to refuse what stands at one place of a request. */
  static at(pointer: string, message: string, code: ProblemCode = 'invalid_request'): Problem {
    return new Problem(code, message, { errors: [{ pointer, message }] })
  }
}

const text = (meaning: string) => v.pipe(v.string(), v.description(meaning))

const fault = v.object({
  pointer: text('Where: a JSON pointer such as `#/name`, or `#/query/NAME`.'),
  message: text('What is wrong there.'),
})

const example = {
  type: 'urn:selfsame:problem:invalid_request',
  title: 'Bad Request',
  status: 400,
  detail: 'The request is not acceptable; see errors.',
  code: 'invalid_request',
  requestId: '2c1b0a52-2f0c-4a5e-9d59-0c1a3b7e8f10',
  errors: [{ pointer: '#/name', message: 'Is required.' }],
}

/** The body of every answer that is not a success (RFC 9457, `application/problem+json`). */
export const problemBody = v.pipe(
  v.object({
    type: text('A name of the kind of problem, `urn:selfsame:problem:` and the code.'),
    title: text('The name of the status.'),
    status: v.pipe(v.number(), v.integer(), v.description('The HTTP status.')),
    detail: text('What went wrong, for people.'),
    code: v.pipe(
      text('What went wrong, for programs. Codes are stable.'),
      v.metadata({ enum: Object.keys(problemStatus) }),
    ),
    requestId: text('The value of `X-Request-Id`.'),
    errors: v.optional(v.pipe(v.array(fault), v.description('Everything that is wrong; with each 400.'))),
    /** [Note: Ours] */
    theme: v.optional(theme),
  }),
  v.description('The body of every answer that is not a success (RFC 9457).'),
  v.examples([example]),
)

export type ProblemBody = v.InferOutput<typeof problemBody>
