/** A failure as reported. */
export interface Failure {
  /** Its log line's text: one of this program's fixed messages, without details about the request. */
  readonly text: string
  readonly error: unknown
  /** The failed request's ID, if any. */
  readonly requestId?: string | undefined
}

/** A line to be written. */
export interface FailureLine extends Failure {
  /** True for the first line of its kind, which includes the stack. */
  readonly withStack: boolean
  /** How many failures of the same kind were suppressed since the previous line. */
  readonly heldBack?: HeldBack
}

export interface HeldBack {
  readonly count: number
  /** The first and last of those requests' IDs. */
  readonly first: readonly string[]
  readonly last: readonly string[]
}

export interface RepeatedFailures {
  tell(failure: Failure): void
  /** Writes the pending summaries. For the end of the process. */
  release(): void
}

const reportEveryMilliseconds = 60_000
/** After this many quiet minutes, a failure counts as new and its stack is logged again. */
const forgottenAfterTurns = 60
const mostKinds = 200
const mostIds = 3

/** A kind of failure that has occurred. */
interface Kind {
  latest: Failure
  count: number
  first: string[]
  last: string[]
  quietTurns: number
  timer: NodeJS.Timeout | undefined
}

/**
 * [Note: A line a minute] A fault of the environment, such as a full disk or an unreachable store, fails every request in
 * the same way. The first is logged immediately, and those within the following minute are summarised at its end.
 * Failures are of one kind if they have the same text, error name, code and origin in the code; messages are ignored,
 * since they may name different things each time.
 */
export function createRepeatedFailures(write: (line: FailureLine) => void): RepeatedFailures {
  /** Ordered by when they last occurred. */
  const kinds = new Map<string, Kind>()

  function release(kind: Kind): void {
    clearTimeout(kind.timer)
    const line = takeHeldBack(kind)
    if (line !== undefined) write(line)
  }

  function turn(name: string, kind: Kind): void {
    kind.quietTurns = kind.count === 0 ? kind.quietTurns + 1 : 0
    release(kind)
    if (kind.quietTurns >= forgottenAfterTurns) kinds.delete(name)
    else kind.timer = later(name, kind)
  }

  const later = (name: string, kind: Kind) =>
    setTimeout(() => turn(name, kind), reportEveryMilliseconds).unref()

  function begin(name: string, failure: Failure): void {
    const kind: Kind = { latest: failure, count: 0, first: [], last: [], quietTurns: 0, timer: undefined }
    kind.timer = later(name, kind)
    kinds.set(name, kind)
    write({ ...failure, withStack: true })
    if (kinds.size > mostKinds) forgetOldest()
  }

  function forgetOldest(): void {
    const [name, kind] = kinds.entries().next().value!
    release(kind)
    kinds.delete(name)
  }

  return {
    tell(failure) {
      const name = kindOf(failure)
      const kind = kinds.get(name)
      if (kind === undefined) return begin(name, failure)
      kinds.delete(name)
      kinds.set(name, kind)
      if (kind.quietTurns === 0) return hold(kind, failure)
      // Starts over: the failure is logged immediately, followed by another minute of suppression.
      kind.quietTurns = 0
      clearTimeout(kind.timer)
      kind.timer = later(name, kind)
      write({ ...failure, withStack: false })
    },
    release() {
      for (const kind of kinds.values()) release(kind)
      kinds.clear()
    },
  }
}

/** A summary of the suppressed log lines, or undefined if none were suppressed. */
function takeHeldBack(kind: Kind): FailureLine | undefined {
  const { latest, count, first, last } = kind
  if (count === 0) return undefined
  Object.assign(kind, { count: 0, first: [], last: [], quietTurns: 0 })
  return { text: latest.text, error: latest.error, withStack: false, heldBack: { count, first, last } }
}

function hold(kind: Kind, failure: Failure): void {
  kind.latest = failure
  kind.count++
  const { requestId } = failure
  if (requestId === undefined || requestId === '') return
  if (kind.first.length < mostIds) kind.first.push(requestId)
  else kind.last = [...kind.last, requestId].slice(-mostIds)
}

function kindOf({ text, error }: Failure): string {
  if (!(error instanceof Error)) return text
  const { code = '' } = error as { code?: unknown }
  const thrownAt = /^\s+at .*/m.exec(error.stack ?? '')?.[0].trim() ?? ''
  return [text, error.name, String(code), thrownAt].join('\n')
}
