import { format } from 'node:util'
import { pino } from 'pino'
import { endAtOnce } from '#server/platform/listening/stopping.ts'
import { createLog, type Level, type LogObserver, type OperationsLog } from './log.ts'

/** Buffered bytes if standard error is not being read; further lines are dropped. */
const mostLogBytes = 4 * 1024 * 1024
/** Limited, since the output may have no reader. */
const lastWordsMilliseconds = 500

interface ProcessLog extends OperationsLog {
  /** Ends the process as soon as the reason is written. */
  endWith(error: unknown, text: string): void
}

/** The log of this process, on standard error. Output of its libraries becomes part of it. */
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
