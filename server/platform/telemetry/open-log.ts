import { format } from 'node:util'
import { pino } from 'pino'
import { endAtOnce } from '#server/platform/listening/stopping.ts'
import { createLog, type Level, type LogObserver, type OperationsLog } from './log.ts'

/** The buffered bytes allowed when standard error is not being read. Further lines are dropped. */
const mostLogBytes = 4 * 1024 * 1024
/** Limited because the output may not have a reader. */
const lastWordsMilliseconds = 500

interface ProcessLog extends OperationsLog {
  /** Ends the process as soon as the reason has been written. */
  endWith(error: unknown, text: string): void
}

/** This process's log, on standard error. It includes the libraries' output. */
export function openLog(level: Level, observer: LogObserver): ProcessLog {
  const file = pino.destination({ dest: 2, sync: false, maxLength: mostLogBytes })
  // [Note: Nobody need listen] The reader of the output may close it, as `| head -2` does; the server continues.
  const outputs: readonly NodeJS.EventEmitter[] = [process.stdout, process.stderr, file]
  for (const output of outputs) output.on('error', () => undefined)
  const log = createLog(level, file, observer)
  takeOver(console, log)
  return {
    ...log,
    endWith(error, text) {
      // The last lines are already on their way to the file, so flushing now would skip them.
      file.once('drain', endAtOnce)
      setTimeout(endAtOnce, lastWordsMilliseconds)
      log.failure(error, text)
    },
  }
}

/** [Note: One form] The store's library prints each failed commit, not as JSON, and on every attempt. */
export function takeOver(
  printing: Pick<Console, 'error' | 'warn'>,
  log: Pick<OperationsLog, 'failure'>,
): void {
  const tell = (...said: unknown[]) =>
    log.failure(said.find((one) => one instanceof Error) ?? format(...said), 'A library complained')
  printing.error = tell
  printing.warn = tell
}
