import { answerTo, type StepAnswer } from '#models/rules/challenge/progress.ts'
import type { SessionCaller } from '#server/features/callers/callers.ts'
import { refuseFollower } from '#server/features/sessions/access/holder.ts'
import { busy, refuseEnded } from '#server/features/sessions/access/refusals.ts'
import { keyOf, type ReadSession } from '#server/features/sessions/access/session-reader.ts'
import { isRequest, type StepAnswers, type StepCall } from '#server/features/sessions/steps/step-answers.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { KeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { submitStep } from '#shared/contract/sessions/session.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

export type SubmitStep = Handler<typeof submitStep, SessionCaller>

interface Dependencies {
  readonly readSession: ReadSession
  readonly stepAnswers: StepAnswers
  readonly mutex: KeyedMutex
  readonly now: Clock
}

/** Accepts one step's frames, judges the step and reveals the next action. */
export function createSubmitStep({ readSession, stepAnswers, mutex, now }: Dependencies): SubmitStep {
  async function answer(call: StepCall): Promise<StepAnswer | undefined> {
    const { body, caller, receivedAt } = call
    const read = await readSession(caller)
    const { progress } = read.value
    refuseFollower(read.value, caller.device)
    if (body.request === 'startOver') {
      refuseEnded(read.value, receivedAt)
      if ((progress.open ?? progress.answered.at(-1))?.step !== body.step) throw outOfOrder()
      return stepAnswers.startOver(body, read)
    }
    const known = answerTo(progress, body.step)
    if (known !== undefined) return known
    refuseEnded(read.value, receivedAt)
    if (progress.open?.step !== body.step) throw outOfOrder()
    if (isRequest(body)) return stepAnswers.grant(body, read)
    return stepAnswers.judge(call, read)
  }

  return async ({ body, caller }) => {
    const call: StepCall = { body, caller, receivedAt: now(), decoded: {} }
    return mutex.runExclusive(keyOf(caller), () => retryOnConflict(() => answer(call), busy))
  }
}

function outOfOrder(): Problem {
  const detail = 'This is not the step that is expected; get-session says which one is.'
  return new Problem('step_out_of_order', detail)
}
