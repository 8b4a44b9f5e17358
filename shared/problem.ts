import { type ProblemCode, problemStatus } from './contract/problem-codes.ts'

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
  /** What its body says besides what every problem says (RFC 9457). */
  members?: Readonly<Record<string, unknown>>
  /** Where it is not that of the code: an answer that is none of ours. */
  status?: number
  /** The answer came from a proxy or another server. */
  isForeign?: boolean
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

  /** What went wrong, as the server says it. */
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

  /** On the server's side: the limit that was reached. */
  get limitUsage(): LimitUsage | undefined {
    return this.#details.limitUsage
  }

  /** On the client's side: the answer's `X-Request-Id`. */
  get requestId(): string | undefined {
    return this.#details.requestId
  }

  /** What the body says besides what every problem says; nothing of it is checked on the client's side. */
  get members(): Readonly<Record<string, unknown>> {
    return this.#details.members ?? {}
  }

  /** The same, with further members of its body. */
  saying(members: Readonly<Record<string, unknown>>): Problem {
    return new Problem(this.code, this.#detail, { ...this.#details, members })
  }

  /** The same, with another message for whoever reads it off a terminal. */
  said(sentence: string): Problem {
    return new Problem(this.code, this.#detail, { ...this.#details, sentence })
  }

  /** The one way to refuse what stands at one place of a request. */
  static at(pointer: string, message: string, code: ProblemCode = 'invalid_request'): Problem {
    return new Problem(code, message, { errors: [{ pointer, message }] })
  }
}
