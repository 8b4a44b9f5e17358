import { type ProblemCode, problemStatus } from './problem-codes.ts'

/** A fault of a request: its place (a JSON pointer such as `#/name`, or `#/query/NAME`) and the rule it breaks. */
export interface Fault {
  pointer: string
  message: string
}

/** State of a rate limit: `left` of `limit` in the window, and when it resets. */
export interface LimitUsage {
  policy: string
  limit: number
  windowInSeconds: number
  left: number
  resetsInSeconds: number
}

interface ProblemDetails {
  /** Message of the error instead of the detail. */
  sentence?: string
  errors?: readonly Fault[]
  retryAfterInSeconds?: number
  limitUsage?: LimitUsage
  requestId?: string | undefined
  /** Additional members of the body (RFC 9457). */
  members?: Readonly<Record<string, unknown>>
  /** Status of an answer from another server, instead of the code's own. */
  status?: number
  /** The answer came from a proxy or another server. */
  isForeign?: boolean
}

/** Escapes a member name for a JSON pointer (RFC 6901). */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Ends a request with an error. `detail` is shown to the caller: it names the rule, never a value or a secret. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number

  /** [Note: Printed errors are short] Optional details are not public fields, because Node prints every field of an uncaught error. */
  readonly #details: ProblemDetails
  readonly #detail: string

  constructor(code: ProblemCode, detail: string, more: ProblemDetails = {}) {
    super(more.sentence ?? detail)
    this.name = 'Problem'
    this.#details = more
    this.#detail = detail
    this.code = code
    this.status = more.status ?? problemStatus[code]
  }

  /** The server's explanation. */
  get detail(): string {
    return this.#detail
  }

  /** True if a proxy or another server gave the answer: it says nothing about the request. */
  get isForeign(): boolean {
    return this.#details.isForeign ?? false
  }

  get errors(): readonly Fault[] {
    return this.#details.errors ?? []
  }

  get retryAfterInSeconds(): number | undefined {
    return this.#details.retryAfterInSeconds
  }

  /** On the server: the limit that was reached. */
  get limitUsage(): LimitUsage | undefined {
    return this.#details.limitUsage
  }

  /** On the client: the answer's `X-Request-Id`. */
  get requestId(): string | undefined {
    return this.#details.requestId
  }

  /** Additional members of the body. The client does not validate them. */
  get members(): Readonly<Record<string, unknown>> {
    return this.#details.members ?? {}
  }

  /** Returns a copy with further members in its body. */
  saying(members: Readonly<Record<string, unknown>>): Problem {
    return new Problem(this.code, this.#detail, { ...this.#details, members })
  }

  /** Returns a copy with another message, for errors printed to a terminal. */
  said(sentence: string): Problem {
    return new Problem(this.code, this.#detail, { ...this.#details, sentence })
  }

  /** Creates the problem for a fault at one place of a request. */
  static at(pointer: string, message: string, code: ProblemCode = 'invalid_request'): Problem {
    return new Problem(code, message, { errors: [{ pointer, message }] })
  }
}
