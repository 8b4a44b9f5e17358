import { askHidden } from './hidden-question.ts'
import type { Voice } from './run.ts'

/** Speaks and asks where the command was typed. */
export const terminal: Voice = {
  tell: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
  ask: (question) => askHidden(question, process.stdin, process.stderr),
}
