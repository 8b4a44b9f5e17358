import type { Action, CapturePlan } from '#shared/contract/sessions/session.ts'
import { beginning } from '#web/capture/machine/machine.ts'
import type { Context, Event, Situation, State } from '#web/capture/machine/state.ts'
import type { PreviewedCheck, StepName } from './preview-messages.ts'

/** Example actions. Real visits draw them at random. */
const asked: readonly Action[] = ['turnLeft', 'smile', 'comeCloser']
const actionSteps = ['action1', 'action2', 'action3'] as const
const stepSeconds = 10
const share = 0.6

/** The screens of a visit in which nothing goes wrong. */
export function straightOn({ challenge }: Pick<CapturePlan, 'challenge'>): readonly StepName[] {
  const actions = actionSteps.slice(0, challenge?.actionCount ?? 0)
  return ['consent', 'ready', 'align', 'hold', ...actions, 'sending', 'passed']
}

/** All screens that a person may see: those of a smooth visit, and the alternatives. */
export function stepsOf({ plan, tries }: Pick<PreviewedCheck, 'plan' | 'tries'>): readonly StepName[] {
  const again: readonly StepName[] = tries > 0 ? ['furtherTry'] : []
  return [...straightOn(plan), ...again, 'notCompleted', 'anotherWay', 'declined']
}

const onward: ReadonlySet<Event['type']> = new Set(['agree', 'startCamera', 'wait', 'endTest'])

/** The screen that a click leads to; undefined if the preview does not include it. */
export function stepAfter(event: Event['type'], step: StepName, plan: CapturePlan): StepName | undefined {
  const steps = straightOn(plan)
  switch (event) {
    case 'anotherWay':
      return 'anotherWay'
    case 'disagree':
    case 'leave':
    case 'takeOtherWay':
      return 'declined'
    case 'back':
    case 'readAgain':
      return 'consent'
    case 'tryAgain':
      return 'ready'
    default:
      return onward.has(event) ? steps[steps.indexOf(step) + 1] : undefined
  }
}

/** The state machine's situation for a screen. */
export function situationOf(
  { plan, tries, passedUrl, failedUrl, step }: PreviewedCheck,
  now: number,
): Situation {
  const context: Context = { ...beginning.context, plan, consented: true, attempt: 1 }
  const at = actionSteps.indexOf(step as (typeof actionSteps)[number])
  if (at >= 0) return { state: actionState(at, now), context: { ...context, accepted: at } }
  if (step === 'furtherTry') {
    const furtherTry = { attemptsLeft: tries, tip: null }
    return { state: { name: 'furtherTry' }, context: { ...context, attempt: 2, furtherTry } }
  }
  return { state: stateOf(step, { passedUrl, failedUrl }), context }
}

function actionState(at: number, now: number): State {
  const step = { step: at + 1, action: asked[at]!, timeLimitInSeconds: stepSeconds }
  return { name: 'action', step, again: false, startedAt: now }
}

function stateOf(
  step: StepName,
  { passedUrl, failedUrl }: Pick<PreviewedCheck, 'passedUrl' | 'failedUrl'>,
): State {
  switch (step) {
    case 'ready':
      return { name: 'ready' }
    case 'anotherWay':
      return { name: 'anotherWay', from: 'consent' }
    case 'align':
    case 'hold':
      return { name: step, helpOffered: false }
    case 'sending':
      return { name: 'sending', phase: 'sending', share, late: false }
    case 'passed':
      return { name: 'passed', redirectUrl: passedUrl, staying: false }
    case 'notCompleted':
      return { name: 'notCompleted', redirectUrl: failedUrl, staying: false }
    case 'declined': {
      const nothing = { sent: false, submission: 'none', leaving: false } as const
      return { name: 'declined', kind: 'declined', ...nothing, redirectUrl: failedUrl }
    }
    default:
      return { name: 'consent' }
  }
}
