import type { Situation, StateName } from '#web/capture/machine/state.ts'
import type { KioskAnswer, VisitOutcome } from '#web/kiosk/core/kiosk.ts'
import type { AnswerKind } from '#web/kiosk/core/state.ts'

/** A visit's result, as it will be shown. */
export interface Ending {
  readonly answer: AnswerKind
  readonly expression: string | null
}

/** Screens with a verdict. They stay visible for at least a certain time. */
const verdicts: ReadonlySet<StateName> = new Set<StateName>(['passed', 'notCompleted'])

/** Screens from which the capture page would navigate away. A kiosk returns to its first screen instead. */
const goodbyes: ReadonlySet<StateName> = new Set<StateName>(['declined', 'timeOver', 'moved', 'linkProblem'])

const answers = { Pass: 'passed', Fail: 'staff', Pending: 'later' } as const satisfies Record<
  KioskAnswer['result'],
  AnswerKind
>

/** How a visit ended; undefined while it is still going on. */
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
