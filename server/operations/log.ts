import { type DestinationStream, type Logger, pino } from 'pino'
import type { Log } from '#server/http/answers/problems.ts'
import type { Observe } from '#server/http/requests/request-record.ts'

type Level = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** The lines of the log, one JSON object each. */
export interface OperationsLog extends Log {
  readonly request: Observe
  /** Something went wrong that belongs to no request. */
  failure(error: unknown, text: string): void
  note(text: string): void
  /** What an operator should mend, with a stable code; whatever the level, unless it is silent. */
  warning(code: string, meaning: string): void
  /** Writes what is not written yet, as far as somebody takes it soon; at the end of the process. */
  flush(): Promise<void>
}

const longestText = 4000
const flushWithinMilliseconds = 200
const secretLooking = /[\w-]{32,}/g

export function createLog(level: Level, destination: DestinationStream): OperationsLog {
  const log = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: labelled } },
    destination,
  )
  const warnings = level === 'silent' ? log : log.child({}, { level: 'warn' })
  return {
    request: (record) => log.info(record, 'request'),
    error: ({ requestId, error }, text) => log.error({ requestId, error: textOf(error) }, text),
    debug: ({ requestId, error }, text) => log.debug({ requestId, error: textOf(error) }, text),
    failure: (error, text) => log.error({ error: textOf(error) }, text),
    note: (text) => log.info(text),
    warning: (code, meaning) => warnings.warn({ warning: code }, meaning),
    flush: () => flush(log),
  }
}

function labelled(level: string) {
  return { level }
}

/** Never waits for long: a pipe that nobody reads must not keep a process from ending. */
function flush(log: Logger): Promise<void> {
  return new Promise((done) => {
    const patience = setTimeout(done, flushWithinMilliseconds)
    log.flush(() => {
      clearTimeout(patience)
      done()
    })
  })
}

/**
 * [Note: Nothing that looks like a secret is logged] The message of an unexpected error may quote what it
 * choked on: every run of 32 characters that a key, a token or a picture could be made of is taken out.
 */
function textOf(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return text.replace(secretLooking, '[removed]').slice(0, longestText)
}
