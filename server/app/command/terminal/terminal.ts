import type { CommandIo } from '#server/app/command/run.ts'
import { askHidden } from './hidden-question.ts'

/** Reads from and writes to the command's terminal. */
export const terminal: CommandIo = {
  write: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${text}\n`),
  ask: (question) => askHidden(question, process.stdin, process.stderr),
}
