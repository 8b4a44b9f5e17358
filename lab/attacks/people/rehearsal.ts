import type { Analysis } from '../../../models/rules/analysis.ts'
import { movementsOf, performedIn } from '../../../models/rules/challenge/performed.ts'
import { type NeutralFace, neutralOf } from '../../../models/rules/face/neutral-face.ts'
import { physicsOf } from '../../../models/rules/liveness/evidence/physics.ts'
import { sightOf, turnedPairs } from '../../../models/rules/liveness/evidence/turned-pairs.ts'
import { isLiveRecording } from '../../../models/rules/liveness/liveness-fusion.ts'
import { passiveScoreOf } from '../../../models/rules/liveness/session-liveness.ts'
import type { Observation } from '../../../models/rules/observation.ts'
import { observe } from '../../../models/rules/observe.ts'
import type { Action } from '../../../shared/contract/sessions/session.ts'

/**
 * [Note: Rehearsal] Networks and rules are public, so a forger can run them offline any number of times before sending anything, and draw new
 * random values until they accept.
 */
export function observed(analyses: readonly Analysis[]): Observation[] {
  return analyses.map((analysis, i) =>
    observe(analysis, { step: 0, time: i, receivedAt: 0, reused: 'none', digest: String(i) }),
  )
}

/** The liveness score of straight looks, 0...1, and whether they pass every rule. */
export function livelinessOf(looks: readonly Observation[]): { score: number; isLive: boolean } {
  if (looks.some(({ face }) => face === null)) return { score: 0, isLive: false }
  const score = passiveScoreOf(looks) ?? 0
  return {
    score,
    isLive: isLiveRecording(
      score,
      looks.map(({ face }) => face!.live),
    ),
  }
}

/** Checks that pictures show an action, and that both cues for turned heads would hold. */
export function rehearse(action: Action, analyses: readonly Analysis[], neutral: NeutralFace) {
  const pairs = turnedPairs(analyses.map(sightOf)).flatMap((pair) => pair ?? [])
  return {
    isDone: performedIn(action, observed(analyses), neutral) === 'performed',
    holds: physicsOf(pairs).every(({ answer }) => answer === 'held'),
  }
}

/** In degrees. */
const straightYaw = 10

/** The actions that the second picture shows compared with a straight first one. */
export function shownComparedWith(first: Observation, second: Observation): ReadonlySet<string> {
  const neutral = neutralOf([first])
  if (neutral === undefined || second.face === null || Math.abs(first.face!.pose.yaw) >= straightYaw)
    return new Set()
  return movementsOf(second, neutral)
}

/** True if the second picture shows this action, and no other, compared with a straight first one. */
export function showsOnly(action: Action, [first, second]: readonly [Observation, Observation]): boolean {
  const shown = shownComparedWith(first, second)
  return shown.has(action) && shown.size === 1
}
