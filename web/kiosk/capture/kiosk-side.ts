import { judgePictures, movesAfter, restIn } from '#models/rules/challenge/offline-judgement.ts'
import type { KioskConfiguration } from '#shared/contract/kiosk/kiosk-device.ts'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import type { SideOptions, VisitSide } from '#web/capture/flow/visit-side.ts'
import type { ClosingReason } from '#web/capture/machine/submissions.ts'
import type { KioskAnswer, VisitOutcome } from '#web/kiosk/core/kiosk.ts'
import { isFull } from '#web/kiosk/core/origin-storage.ts'
import type { Analysis, OfflineDecision } from '#workers/api.ts'
import type { KioskPlans } from './kiosk-plans.ts'
import { type OfflineAnalysis, offlineRulesOf } from './offline-analysis.ts'
import {
  beginWalk,
  closeStep,
  isPerformed,
  nextOf,
  type PlanWalk,
  restartStep,
  stepsOf,
} from './plan-walk.ts'
import type { StepPicture, TakenCapture } from './taken-capture.ts'

interface Options {
  readonly configuration: KioskConfiguration
  /** The instructions for this visit. They contain no challenge if no plan is left and none is required. */
  readonly capturePlan: CapturePlan
  readonly plans: Pick<KioskPlans, 'reserve'>
  readonly analysis: OfflineAnalysis
  /** Seals and stores the capture. Resolves once it is on disk. */
  readonly keep: (taken: TakenCapture) => Promise<void>
  readonly onOutcome: (outcome: VisitOutcome) => void
}

/** The pictures and steps that the visit has captured so far. */
interface CapturedParts {
  walk: PlanWalk
  signedPlan: string | null
  pictures: readonly StepPicture[]
  trail: readonly Picture[]
  atRest: readonly Analysis[]
}

/** Handles a visit in place of a server. Sends nothing. */
export function createKioskSide(options: Options, side: SideOptions): VisitSide {
  const { configuration, capturePlan, plans, analysis, onOutcome } = options
  const { send, time, film } = side
  const taken: CapturedParts = { walk: beginWalk(), signedPlan: null, pictures: [], trail: [], atRest: [] }
  let turn = 0

  const tellStep = (accepted: boolean, request: boolean) =>
    send({ type: 'stepAnswered', next: nextOf(taken.walk), accepted, request, dropped: 0, at: Date.now() })

  const beginChallenge = async (frames: readonly Picture[], mine: number) => {
    const plan = await plans.reserve()
    if (plan === undefined) return onOutcome({ kind: 'notKept', cause: 'noPlans' })
    taken.atRest = (await trusted(analysis.atRest(frames, true))) ?? []
    if (mine !== turn) return
    taken.signedPlan = plan.signed
    taken.walk = closeStep({ ...taken.walk, plan: plan.claims }, null, time())
    tellStep(true, false)
  }

  return {
    async open() {
      const known = { progress: { kind: 'fresh' }, consented: false, accepted: 0, framesSent: 0 } as const
      send({ type: 'opened', plan: capturePlan, ...known, expiresAt: null, staysHere: true })
    },
    async submitStep({ step, frames, request }) {
      const mine = ++turn
      if (request !== undefined) {
        taken.walk = restartStep(taken.walk, request, time(), configuration.allowAlternative)
        return tellStep(true, true)
      }
      remember(taken, film, frames, step)
      const { action: asked = null, size } = taken.walk.progress.open ?? {}
      if (asked === null) return beginChallenge(frames, mine)
      const seen = await trusted(analysis.acting(frames))
      const outcome =
        seen === undefined ? 'performed' : judgePictures(asked, seen, restIn(taken.atRest), size)
      if (mine !== turn) return
      taken.walk = closeStep(taken.walk, outcome, time())
      tellStep(outcome === 'performed', false)
    },
    async submitSession(closing) {
      if (closing.kind === 'frames') return finish(taken, closing, options, side)
      forget(taken)
      onOutcome({ kind: 'nothing' })
      send({ type: 'leftServer', redirectUrl: null })
    },
    drop() {
      turn++
      film.clear()
      forget(taken)
    },
  }
}

function forget(taken: CapturedParts): void {
  taken.pictures = []
  taken.trail = []
  taken.atRest = []
}

/** [Note: A film belongs to its step] As with a server, each step brings its part of the film. */
function remember(
  taken: CapturedParts,
  film: SideOptions['film'],
  pictures: readonly Picture[],
  challengeStep: number,
): void {
  taken.trail = [...taken.trail, ...film.take(pictures)]
  taken.pictures = [...taken.pictures, ...pictures.map((picture) => ({ ...picture, challengeStep }))]
}

/** Gives the immediate answer and stores the capture. */
async function finish(
  taken: CapturedParts,
  { frames, challengeStep }: Extract<ClosingReason, { kind: 'frames' }>,
  options: Options,
  { send, wording, report, film, time }: SideOptions,
): Promise<void> {
  const { configuration, capturePlan, keep, onOutcome } = options
  remember(taken, film, frames, challengeStep)
  const answer = await answerOnSpot(taken, frames, options)
  const { walk, signedPlan: plan, pictures, trail } = taken
  const steps = stepsOf(walk.progress.answered.length === 0 ? closeStep(walk, null, time()) : walk)
  try {
    const shownWording = await wording(capturePlan)
    await keep({ plan, steps, pictures, trail, wording: shownWording, answer, deviceReport: report.read() })
  } catch (error) {
    return onOutcome({ kind: 'notKept', cause: isFull(error) ? 'full' : 'broken' })
  }
  onOutcome({ kind: 'kept', answer: shown(answer, configuration) })
  performance.mark('selfsame:verdict')
  send({ type: 'verdict', passed: answer.result !== 'Fail', redirectUrl: null })
}

/** Undefined if the worker could not analyse a picture, in which case the server decides. */
function trusted<T>(look: Promise<T>): Promise<T | undefined> {
  return look.catch(() => undefined)
}

async function answerOnSpot(
  taken: CapturedParts,
  closing: readonly Picture[],
  { analysis, configuration }: Pick<Options, 'analysis' | 'configuration'>,
): Promise<OfflineDecision> {
  const seen = await trusted(analysis.atRest(closing, taken.signedPlan === null))
  if (seen === undefined) return unknownAnswer
  const { walk, atRest } = taken
  const lastAsked = walk.progress.answered.at(-1)?.action ?? null
  const strayed = lastAsked !== null && movesAfter(seen, restIn(atRest), lastAsked)
  const evidence = {
    rules: offlineRulesOf(configuration),
    pictures: [...atRest, ...seen],
    isChallengeMet: isPerformed(walk) && !strayed,
  }
  return (await trusted(analysis.decide(evidence))) ?? unknownAnswer
}

const unknownAnswer: OfflineDecision = {
  result: 'Pending',
  failedReasons: [],
  estimatedAge: null,
  expression: null,
}

function shown(
  { result, expression }: OfflineDecision,
  { capturePlan, emotionPurpose }: KioskConfiguration,
): KioskAnswer {
  return { result, expression: capturePlan.verifiers.emotion && emotionPurpose !== null ? expression : null }
}
