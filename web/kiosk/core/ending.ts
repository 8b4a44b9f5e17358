import type { Situation, StateName } from '#web/capture/machine/state.ts'
import type { KioskAnswer, VisitOutcome } from './kiosk.ts'
import type { AnswerKind } from './state.ts'

/** What a visit that is over leaves to be shown. */
export interface Ending {
  readonly answer: AnswerKind
  readonly expression: string | null
}

/** The screens that show a verdict: a while after sending began, so that none flashes by. */
const verdicts: ReadonlySet<StateName> = new Set<StateName>(['passed', 'notCompleted'])

/** The screens from which the capture page would lead away; a kiosk leads nowhere but to its beginning. */
const goodbyes: ReadonlySet<StateName> = new Set<StateName>(['declined', 'timeOver', 'moved', 'linkProblem'])

const answers = { Pass: 'passed', Fail: 'staff', Pending: 'later' } as const satisfies Record<
  KioskAnswer['result'],
  AnswerKind
>

/** How a visit ended, or undefined while it has not. */
export function endingOf(outcome: VisitOutcome | null, { state }: Situation): Ending | undefined {
  if (outcome === null) return goodbyes.has(state.name) ? without('nothing') : undefined
  if (outcome.kind !== 'kept') return without(outcome.kind)
  if (!verdicts.has(state.name)) return undefined
  const { result, expression } = outcome.answer
  return { answer: answers[result], expression: result === 'Pass' ? expression : null }
}

function without(answer: AnswerKind): Ending {
  return { answer, expression: null }
}
