import type { KioskConfiguration } from '#shared/contract/kiosk/kiosk-device.ts'
import type { Action, CapturePlan } from '#shared/contract/sessions/session.ts'
import type { KioskAnswer, VisitOutcome } from '#web/kiosk/core/kiosk.ts'
import { isFull } from '#web/kiosk/core/origin-storage.ts'
import type { Picture } from '#web/visit/capture/selection.ts'
import type { HandoffSide } from '#web/visit/flow/handoff.ts'
import type { ServerSide, SideOptions } from '#web/visit/flow/server-side.ts'
import type { Closing } from '#web/visit/machine/state.ts'
import type { StepSubmission } from '#web/visit/sending/submit.ts'
import type { Analysis, SpotAnswer } from '#workers/api.ts'
import type { KioskPlans } from './kiosk-plans.ts'
import {
  beginWalk,
  closeStep,
  isPerformed,
  nextOf,
  type PlanWalk,
  restartStep,
  stepsOf,
} from './plan-walk.ts'
import { type SpotAnalysis, spotRulesOf } from './spot-analysis.ts'
import { judgePictures, movesAfter, restOf } from './step-judgement.ts'
import type { StepPicture, TakenCapture } from './taken-capture.ts'

interface Options {
  readonly configuration: KioskConfiguration
  /** What is asked of this person: without a challenge where no plan is left and none is needed. */
  readonly capturePlan: CapturePlan
  readonly plans: Pick<KioskPlans, 'reserve'>
  readonly analysis: SpotAnalysis
  /** Seals the capture and keeps it; resolves when it is on the disk. */
  readonly keep: (taken: TakenCapture) => Promise<void>
  readonly onOutcome: (outcome: VisitOutcome) => void
}

/** The part of the side that a visit needs; nothing here is sent anywhere. */
export function createKioskSide(
  { configuration, capturePlan, plans, analysis, keep, onOutcome }: Options,
  { send, wording, report, time }: SideOptions,
): ServerSide {
  let walk: PlanWalk = beginWalk()
  let signedPlan: string | null = null
  let pictures: StepPicture[] = []
  let atRest: readonly Analysis[] = []
  let turn = 0

  /** What the worker could not look at is left to the server. */
  const trusted = <T>(look: Promise<T>): Promise<T | undefined> => look.catch(() => undefined)
  const remember = (taken: readonly Picture[], challengeStep: number) => {
    pictures = [...pictures, ...taken.map((picture) => ({ ...picture, challengeStep }))]
  }
  const tellStep = (accepted: boolean, request: boolean) =>
    send({ type: 'stepAnswered', next: nextOf(walk), accepted, request, dropped: 0, at: Date.now() })

  const beginChallenge = async (frames: readonly Picture[], mine: number) => {
    const plan = await plans.reserve()
    if (plan === undefined) return onOutcome({ kind: 'notKept', cause: 'noPlans' })
    atRest = (await trusted(analysis.atRest(frames, true))) ?? []
    if (mine !== turn) return
    signedPlan = plan.signed
    walk = closeStep({ ...walk, plan: plan.claims }, null, time())
    tellStep(true, false)
  }
  const judge = async (asked: Action, frames: readonly Picture[]) => {
    const seen = await trusted(analysis.acting(frames))
    return seen === undefined ? 'performed' : judgePictures(asked, seen, restOf(atRest))
  }
  const answer = async (closing: readonly Picture[]): Promise<SpotAnswer> => {
    const seen = await trusted(analysis.atRest(closing, signedPlan === null))
    if (seen === undefined) return unknownAnswer
    const lastAsked = walk.closed.at(-1)?.action ?? null
    const strayed = lastAsked !== null && movesAfter(seen, restOf(atRest), lastAsked)
    const evidence = {
      rules: spotRulesOf(configuration),
      pictures: [...atRest, ...seen],
      isChallengeMet: isPerformed(walk) && !strayed,
    }
    return (await trusted(analysis.answer(evidence))) ?? unknownAnswer
  }
  const finish = async ({ frames, challengeStep }: Extract<Closing, { kind: 'frames' }>) => {
    remember(frames, challengeStep)
    const found = await answer(frames)
    try {
      await keep({
        plan: signedPlan,
        steps: stepsOf(walk.closed.length === 0 ? closeStep(walk, null, time()) : walk),
        pictures,
        wording: await wording(capturePlan),
        answer: found,
        deviceReport: report.read(),
      })
    } catch (error) {
      return onOutcome({ kind: 'notKept', cause: isFull(error) ? 'full' : 'broken' })
    }
    onOutcome({ kind: 'kept', answer: shown(found, configuration) })
    performance.mark('selfsame:verdict')
    send({ type: 'verdict', passed: found.result !== 'Fail', redirectUrl: null })
  }

  return {
    handoff: noHandoff,
    async open() {
      const known = { progress: { kind: 'fresh' }, consented: false, accepted: 0, framesSent: 0 } as const
      send({ type: 'opened', plan: capturePlan, ...known, expiresAt: null, handoff: goesNowhere })
    },
    async submitStep({ step, frames, request }: StepSubmission) {
      const mine = ++turn
      if (request !== undefined) {
        walk = restartStep(walk, request, time(), configuration.allowAlternative)
        return tellStep(true, true)
      }
      remember(frames, step)
      const asked = walk.open?.action ?? null
      if (asked === null) return beginChallenge(frames, mine)
      const outcome = await judge(asked, frames)
      if (mine !== turn) return
      walk = closeStep(walk, outcome, time())
      tellStep(outcome === 'performed', false)
    },
    async submitSession(closing) {
      if (closing.kind === 'frames') return finish(closing)
      pictures = []
      onOutcome({ kind: 'nothing' })
      send({ type: 'leftServer', redirectUrl: null })
    },
    sendAgain: () => undefined,
    drop() {
      turn++
      pictures = []
      atRest = []
    },
    remember() {},
    forget() {},
    findWayBack: async () => {},
    elsewhere: () => null,
    takeCode: async () => {},
    bye() {},
  }
}

const unknownAnswer: SpotAnswer = {
  result: 'Pending',
  failedReasons: [],
  estimatedAge: null,
  expression: null,
}

/** What is begun at a kiosk ends there: like a visit that was taken over already, it is handed on to nobody. */
const goesNowhere = { place: 'guest', number: null, phase: 'taken', actionsDone: 0 } as const
const noHandoff: HandoffSide = {
  makeCode: async () => {},
  cancel: async () => {},
  follow() {},
  stopFollowing() {},
  settled: async () => {},
}

function shown(
  { estimatedAge, expression, ...answer }: SpotAnswer,
  configuration: KioskConfiguration,
): KioskAnswer {
  const { verifiers } = configuration.capturePlan
  return {
    ...answer,
    estimatedAge: verifiers.age && estimatedAge !== null ? Math.floor(estimatedAge) : null,
    expression: verifiers.emotion && configuration.emotionPurpose !== null ? expression : null,
  }
}
