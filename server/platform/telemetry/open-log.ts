import { format } from 'node:util'
import { pino } from 'pino'
import { endAtOnce } from '#server/platform/listening/stopping.ts'
import { createLog, type Level, type LogObserver, type OperationsLog } from './log.ts'

/** What waits to be written where nobody reads standard error; more is dropped. */
const mostLogBytes = 4 * 1024 * 1024
/** Nobody need take them. */
const lastWordsMilliseconds = 500

interface ProcessLog extends OperationsLog {
  /** Ends the process as soon as the reason is written. */
  endWith(error: unknown, text: string): void
}

/** The log of this process, on standard error. What its libraries print by themselves becomes lines of it. */
export function openLog(level: Level, observer: LogObserver): ProcessLog {
  const file = pino.destination({ dest: 2, sync: false, maxLength: mostLogBytes })
  // [Note: Nobody need listen] Whoever started the server may close what it prints to, as `| head -2` does: it serves on.
  const outputs: readonly NodeJS.EventEmitter[] = [process.stdout, process.stderr, file]
  for (const output of outputs) output.on('error', () => undefined)
  const log = createLog(level, file, observer)
  takeOver(console, log)
  return {
    ...log,
    endWith(error, text) {
      // Its last words are under way to the file: what is flushed now would leave them out.
      file.once('drain', endAtOnce)
      setTimeout(endAtOnce, lastWordsMilliseconds)
      log.failure(error, text)
    },
  }
}

/** [Note: One form] The library of the store prints each commit that fails: without JSON, and as often as it is tried. */
export function takeOver(
  printing: Pick<Console, 'error' | 'warn'>,
  log: Pick<OperationsLog, 'failure'>,
): void {
  const tell = (...said: unknown[]) =>
    log.failure(said.find((one) => one instanceof Error) ?? format(...said), 'A library complained')
  printing.error = tell
  printing.warn = tell
}
