/** Something that went wrong, as it comes in. */
export interface Failure {
  /** The text of its line: one of ours, which says nothing of the request. */
  readonly text: string
  readonly error: unknown
  /** Of the request that met it, where one did. */
  readonly requestId?: string | undefined
}

/** A line to be written. */
export interface FailureLine extends Failure {
  /** Whether the stack stands in it: it does once, in the first line of its kind. */
  readonly withStack: boolean
  /** What went wrong in the same way since the line before, and was not written. */
  readonly heldBack?: HeldBack
}

export interface HeldBack {
  readonly count: number
  /** The ids of the first and of the last requests among them. */
  readonly first: readonly string[]
  readonly last: readonly string[]
}

export interface RepeatedFailures {
  tell(failure: Failure): void
  /** Writes what is still held back; for the end. */
  release(): void
}

const reportEveryMilliseconds = 60_000
/** After so many quiet minutes it counts as new, and its stack is written again. */
const forgottenAfterTurns = 60
const mostKinds = 200
const mostIds = 3

/** A way of failing that was met. */
interface Kind {
  latest: Failure
  count: number
  first: string[]
  last: string[]
  quietTurns: number
  timer: NodeJS.Timeout | undefined
}

/**
 * [Note: A line a minute] A fault of the surroundings (a full disk, a store that is away) fails every request in the same way: the first is
 * written at once, and those that follow within a minute are reported together at its end. What is the same is judged by the text, the name and the
 * code of the error and where it was thrown, not by its message, which may name something else each time.
 */
export function createRepeatedFailures(write: (line: FailureLine) => void): RepeatedFailures {
  /** The one that was met last stands last. */
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
      // It begins anew: at once, and the minute of those that follow with it.
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

/** The line that tells of what was held back; undefined where nothing was. */
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
