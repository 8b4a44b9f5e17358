import { Problem } from '#shared/problem.ts'
import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import { fill } from '#web/wording/fill.ts'
import { UndoRefused } from './undo-refused.ts'

/** An error's cause and remedy in words. */
export interface Explanation {
  readonly title: string
  readonly advice: string
  readonly details: readonly { readonly place: string; readonly message: string }[]
  readonly requestId: string | undefined
}

/** Puts an error into words, including the server's messages about individual members. */
export function explain(problem: unknown, { problem: words }: ConsoleWording): Explanation {
  if (!(problem instanceof Problem)) return plain(words.network)
  const said = wordsFor(problem, words)
  const details = problem.errors.map(({ pointer, message }) => ({ place: placeOf(pointer), message }))
  const advice = fill(said.advice, { seconds: problem.retryAfterInSeconds ?? '', detail: problem.detail })
  return { title: said.title, advice, details, requestId: problem.requestId }
}

function plain(said: { title: string; advice: string }): Explanation {
  return { ...said, details: [], requestId: undefined }
}

type ProblemWords = ConsoleWording['problem']

function wordsFor(problem: Problem, words: ProblemWords) {
  const { code, status, retryAfterInSeconds } = problem
  if (problem instanceof UndoRefused) return words.notUndone
  const known = words.code as Readonly<Record<string, { title: string; advice: string }>>
  if (status === 429 && retryAfterInSeconds === undefined) return words.overloaded
  if (Object.hasOwn(known, code)) return known[code]!
  if (status >= 500) return words.overloaded
  return words.other
}

/** Formats a JSON pointer for people: `#/verificationConfig/age` becomes `verificationConfig › age`. */
export function placeOf(pointer: string): string {
  return pointer
    .replace(/^#\/(query\/)?/, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join(' › ')
}
