import { type DestinationStream, type Logger, pino } from 'pino'
import type { Observe } from '#server/platform/http/requests/request-record.ts'
import type { Log } from '#server/platform/http/responses/problems.ts'
import { createRepeatedFailures, type FailureLine } from './repeated-failures.ts'

export type Level = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** The lines of the log, one JSON object each. */
export interface OperationsLog extends Log {
  readonly request: Observe
  /** Something went wrong that fails no request; the id is of the request during which it happened, if there was one. */
  failure(error: unknown, text: string, requestId?: string): void
  note(text: string): void
  /** A record that another system collects, whatever the level, unless it is silent. */
  record(fields: Readonly<Record<string, unknown>>, text: string): void
  /** What an operator should mend, with a stable code; whatever the level, unless it is silent. */
  warning(code: string, meaning: string): void
  /** Writes what is not written yet, as far as somebody takes it soon; at the end of the process. */
  flush(): Promise<void>
}

const longestText = 4000
const flushWithinMilliseconds = 200
const secretLooking = /[\w-]{32,}/g

/** Who counts what is logged, whatever the level is. */
export interface LogObserver {
  /** Of each failure, also of those whose lines are held back. */
  onFailure(): void
  onWarning(code: string): void
}

const nobody: LogObserver = { onFailure: () => undefined, onWarning: () => undefined }

export function createLog(level: Level, destination: DestinationStream, observer = nobody): OperationsLog {
  const log = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: labelled } },
    destination,
  )
  const always = (at: Level) => (level === 'silent' ? log : log.child({}, { level: at }))
  const [warnings, records] = [always('warn'), always('info')]
  const failures = createRepeatedFailures((line) => log.error(fieldsOf(line), line.text))
  const fail = (error: unknown, text: string, requestId?: string) => {
    observer.onFailure()
    failures.tell({ text, error, requestId })
  }
  return {
    request: ({ ignored: _ignored, ...record }) => log.info(record, 'request'),
    error: ({ requestId, error }, text) => fail(error, text, requestId),
    debug: ({ requestId, error }, text) => log.debug({ requestId, error: textOf(error) }, text),
    failure: fail,
    note: (text) => log.info(text),
    record: (fields, text) => records.info(fields, text),
    warning(code, meaning) {
      observer.onWarning(code)
      warnings.warn({ warning: code }, meaning)
    },
    flush() {
      failures.release()
      return flush(log)
    },
  }
}

function fieldsOf({ requestId, error, withStack, heldBack }: FailureLine) {
  return {
    ...(requestId !== undefined && { requestId }),
    error: withStack ? textOf(error) : textOf(error instanceof Error ? String(error) : error),
    ...(heldBack && {
      heldBack: heldBack.count,
      firstRequestIds: heldBack.first,
      lastRequestIds: heldBack.last,
    }),
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
