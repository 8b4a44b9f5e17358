import {
  advance,
  type ChallengeProgress,
  drawInOrder,
  firstProgress,
  restart,
} from '#models/rules/challenge/progress.ts'
import { judgeOpen } from '#models/rules/challenge/step-judgement.ts'
import { emptyVerdict } from '#models/rules/empty-verdict.ts'
import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import type { Observation } from '#models/rules/observation.ts'
import { verdict } from '#models/rules/verdict.ts'
import { type Judgement, rulesOf, type SessionRecord } from '#server/features/sessions/sessions.ts'
import type { CapturedStep, KioskCapture, KioskPlan } from '#shared/contract/kiosk/kiosk-capture.ts'
import type { TakenCapture } from './capture-sessions.ts'

/** Decides a capture's session from the observations in its pictures, each with the device's reported time and step. Pure. */
export function judgeCapture(
  { capture, plan: taken }: Pick<TakenCapture, 'capture' | 'plan'>,
  record: SessionRecord,
  seen: readonly Observation[],
): Judgement {
  if (!capture.consent.given) return { record, verdict: emptyVerdict('consentDeclined') }
  const rules = rulesOf(record.settings)
  const { liveness } = record.settings.verifiers
  const plan = rules.liveness ? taken : undefined
  const observations = seen.map((frame) => ({ ...frame, receivedAt: receivedAt(frame, capture) }))
  const progress = replayed(capture, plan, observations, liveness?.allowAlternative ?? false)
  const isPassive = capture.plan === null && liveness?.allowPassiveOffline === true
  const challengeActionCount = isPassive ? 0 : (plan?.actionCount ?? rules.challengeActionCount)
  const steps = progress.answered
  const trail = (record.trail ?? []).map((point) => ({ ...point, receivedAt: cameAt(point, capture) }))
  return {
    record: { ...record, progress, tries: record.tries + 1 },
    verdict: verdict({
      rules: { ...rules, challengeActionCount },
      steps,
      observations,
      trail,
      isOffline: true,
    }),
  }
}

/**
 * Replays a capture's steps as the server would have run them online. Each step's pictures are judged against the action in
 * the plan, whatever the device reports. `plan` is undefined if the capture does not have a valid one.
 *
 * [Note: A kiosk's clock is its own] The server was not present when the pictures were taken. It only has the times that the
 * device recorded, in milliseconds since the camera started, and uses them as its own clock. They limit each step as they
 * do online, but prove nothing if an attacker has the device's key.
 */
function replayed(
  capture: Pick<KioskCapture, 'steps'>,
  plan: KioskPlan | undefined,
  observations: readonly Observation[],
  allowAlternative: boolean,
): ChallengeProgress {
  const first = capture.steps.find(({ step }) => step === 0)
  const draw = drawInOrder(plan ?? {})
  let progress = firstProgress(0, first?.endedAt ?? 0)
  for (const step of capture.steps) {
    if (progress.open?.step !== step.step) break
    const now = step.startedAt
    progress = restarted(progress, step, { allowAlternative, draw, now })
    const during = observations.filter((frame) => isDuring(frame, step))
    const before = observations.filter((frame) => frame.step < step.step)
    const judged = judgeOpen(progress, { before, during, answeredAt: step.endedAt })
    const next = capture.steps.find((other) => other.step === step.step + 1)
    const actionCount = plan?.actionCount ?? 0
    progress = advance(progress, judged, { actionCount, draw, now: next?.startedAt ?? step.endedAt })
  }
  return progress
}

/** Pictures taken before a step ended arrived with that step. The straight look after the last action arrived when it was taken. */
function receivedAt({ step, time }: Observation, { steps }: Pick<KioskCapture, 'steps'>): number {
  const endedAt = steps.find((captured) => captured.step === step)?.endedAt ?? 0
  return Math.max(time, endedAt)
}

/** As with frames, a film picture arrived with the step in which it was taken. The last ones arrived when they were taken. */
function cameAt({ time }: TrailPoint, { steps }: Pick<KioskCapture, 'steps'>): number {
  return steps.find(({ endedAt }) => time <= endedAt)?.endedAt ?? time
}

function isDuring(frame: Observation, { step, endedAt }: CapturedStep): boolean {
  return frame.step === step && frame.receivedAt === endedAt
}

/** The accommodations that the person requested, in order: other actions first, then more time. */
function restarted(
  progress: ChallengeProgress,
  { action, clockRestarts = 0, otherActions = 0 }: CapturedStep,
  plan: Parameters<typeof restart>[2],
): ChallengeProgress {
  if (action === null || progress.open?.action == null) return progress
  let changed = progress
  for (let i = 0; i < clockRestarts; i++) {
    changed = restart(changed, i < otherActions ? 'otherAction' : 'moreTime', plan) ?? changed
  }
  return changed
}
