import { type DestinationStream, type Logger, pino } from 'pino'
import type { Observe } from '#server/platform/http/requests/request-record.ts'
import type { Log } from '#server/platform/http/responses/problems.ts'
import { createRepeatedFailures, type FailureLine } from './repeated-failures.ts'

export type Level = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** Writes log lines, one JSON object each. */
export interface OperationsLog extends Log {
  readonly request: Observe
  /** An error that fails no request. The ID identifies the request during which it happened, if any. */
  failure(error: unknown, text: string, requestId?: string): void
  note(text: string): void
  /** A record for another system to collect. Logged at every level except silent. */
  record(fields: Readonly<Record<string, unknown>>, text: string): void
  /** A condition that operators should fix, with a stable code. Logged at every level except silent. */
  warning(code: string, meaning: string): void
  /** Writes buffered lines if the output accepts them soon. For the end of the process. */
  flush(): Promise<void>
}

const longestText = 4000
const flushWithinMilliseconds = 200
const secretLooking = /[\w-]{32,}/g

/** Counts log lines at every level. */
export interface LogObserver {
  /** Runs for each failure, even if its line is suppressed. */
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

/** Waits only briefly, because a pipe without a reader must not keep the process from exiting. */
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
 * [Note: Nothing that looks like a secret is logged] The message of an unexpected error may quote its input. Every run of
 * 32 characters that could belong to a key, a token or a picture is removed.
 */
function textOf(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return text.replace(secretLooking, '[removed]').slice(0, longestText)
}
