import type { Movement } from '#models/rules/challenge/movement.ts'
import type { Rest } from '#models/rules/challenge/rest.ts'
import { strengthsOf, strongestOfHead } from '#models/rules/challenge/strength.ts'
import type { ActingHint, CaptureFault, Hint } from '#web/wording/findings.ts'
import type { Analysis } from '#workers/api.ts'
import { commonest, isClear, lookFault } from './capture-fault.ts'
import { noClosing, watchClosing } from './closing.ts'
import { placeOf } from './face-measure.ts'
import { closingHints, everyHint, fits, guide, noGuidance } from './guidance.ts'
import { createEarlyChoice, hold, holdProgress, neutralOfHold, noHold } from './hold.ts'
import { type Outline, ovalShare } from './oval.ts'
import {
  type Candidate,
  frameLimits,
  type Picture,
  selectClosing,
  selectFrontal,
  unsent,
} from './selection.ts'
import { thresholds as t } from './thresholds.ts'

/** A stage's response to one analysis. */
export interface StageAnswer {
  readonly hint: Hint | ActingHint | null
  /** 0...1 */
  readonly progress: number
  /** Present if the picture is a candidate for submission. */
  readonly keep?: Omit<Candidate, keyof Picture>
  /** This picture will be submitted no matter what follows, so it can be sent right away. */
  readonly sure?: boolean
  /** Send the picture of a wrong turn that was held back, because the person did not correct it. */
  readonly release?: boolean
  /** Keep this picture even if another one was kept just before it. */
  readonly urgent?: boolean
  /** The action is done, but the stage continues until the person has returned. */
  readonly acted?: boolean
  /** Discard the pictures kept so far. */
  readonly restart?: boolean
  readonly done?: boolean
  /** Set together with `done`: what is wrong with the pictures, if they should be retaken. */
  readonly fault?: CaptureFault | null
}

/** A capture stage. It evaluates analyses and selects from the pictures it has kept. */
export interface StageWatch {
  readonly watch: (analysis: Analysis, at: number) => StageAnswer
  readonly select: (candidates: readonly Candidate[]) => Picture[]
  readonly crowded: () => boolean
}

/**
 * Waits until there are no faults for a while. [Note: Two ovals until it fits] A person who is too far away or too near sees the outline of their face
 * next to the oval it should fill. The resting face is measured next, so the stage also waits for the network that measures smiles.
 */
export function alignStage(onOutline: (outline: Outline | null) => void): StageWatch {
  let guidance = noGuidance
  let fitAt: number | null = null
  return {
    select: () => [],
    crowded: () => guidance.crowded,
    watch(analysis, at) {
      guidance = guide(guidance, analysis, at)
      fitAt = fits(guidance, analysis) ? (fitAt ?? at) : null
      const isMeasurable = analysis.missing?.includes('expression') !== true
      const done = isMeasurable && fitAt !== null && at - fitAt >= t.fitMilliseconds
      onOutline(guidance.shown === 'closer' || guidance.shown === 'back' ? outlineOf(analysis) : null)
      return { hint: guidance.shown, progress: 0, done }
    },
  }
}

function outlineOf(analysis: Analysis): Outline | null {
  const { width, height, face } = analysis
  const aspect = width / height
  return face === undefined ? null : { wanted: ovalShare(aspect), seen: placeOf(analysis, face).size, aspect }
}

/** Collects good frontal pictures; `onNeutral` receives the pose that actions are measured from. */
export function holdStage(onNeutral: (neutral: Rest) => void): StageWatch {
  let guidance = noGuidance
  let memory = noHold
  const early = createEarlyChoice()
  return {
    select: (candidates) =>
      unsent(candidates, (left, sent) => selectFrontal(left, Math.max(1, frameLimits.frontal - sent))),
    crowded: () => guidance.crowded,
    watch(analysis, at) {
      guidance = guide(guidance, analysis, at, everyHint)
      const good = fits(guidance, analysis)
      memory = hold(memory, analysis, good, at)
      const progress = holdProgress(memory)
      const done = progress >= 1
      if (done) onNeutral(neutralOfHold(memory))
      const sure = good && !done && early(progress, meritOf(analysis))
      return {
        sure,
        urgent: sure,
        hint: guidance.shown,
        progress,
        done,
        restart: memory === noHold,
        ...(good && { keep: { strength: 0, merit: meritOf(analysis), stray: false } }),
      }
    },
  }
}

/**
 * The final look: straight ahead, in a picture that the server can use.
 * [Note: A stray is never taken again] The server must see pictures of movements that were not requested. If they were
 * replaced by better ones, an attacker could replay a recording until it happens to fit.
 */
export function closingStage(room: number, neutral: Rest, previous: Movement | null): StageWatch {
  let guidance = noGuidance
  let memory = noClosing
  let astray = false
  const faults: CaptureFault[] = []
  return {
    // The pictures of the way back were only kept in case nothing better came.
    select: (candidates) => selectClosing(memory.held ? withLastLook(candidates) : candidates, room),
    crowded: () => guidance.crowded,
    watch(analysis, at) {
      guidance = guide(guidance, analysis, at, closingHints)
      const good = fits(guidance, analysis) && isClear(analysis)
      memory = watchClosing(memory, analysis, good, at, { neutral, previous })
      const { strayed, strayStrength, held, timedOut, straightSince } = memory
      const keep = { strength: strayStrength, merit: meritOf(analysis), stray: strayed }
      astray ||= strayed
      if (straightSince === null) faults.push(lookFault(analysis, guidance.fault))
      return {
        hint: guidance.shown,
        progress: Number(held),
        done: held || timedOut,
        urgent: held,
        fault: held || astray ? null : commonest(faults),
        ...((strayed || straightSince !== null) && { keep }),
      }
    },
  }
}

/** All movements that were not requested, and the last of the straight looks. */
function withLastLook(candidates: readonly Candidate[]): readonly Candidate[] {
  const last = candidates.findLast(({ stray }) => !stray)
  return candidates.filter((candidate) => candidate.stray || candidate === last)
}

/**
 * The return from an action whose pictures were already sent. It ends when the head is closer to straight than to the action.
 * [Note: Not for ever] After a while, a person who stays turned sees the next instruction too.
 */
export function halfwayStage(neutral: Rest): StageWatch {
  let startedAt: number | null = null
  return {
    select: () => [],
    crowded: () => false,
    watch(analysis, at) {
      startedAt ??= at
      const strengths = strengthsOf(analysis, neutral)
      const { straightShare: nearShare, mostMilliseconds } = t.comingBack
      const isNear = strengths !== undefined && strongestOfHead(strengths) < nearShare
      return { hint: null, progress: 1, done: isNear || at - startedAt >= mostMilliseconds }
    },
  }
}

/** A few pictures of a person in view, whatever they are doing. */
export function presentStage(): StageWatch {
  let seenAt: number | null = null
  return {
    select: (candidates) => selectFrontal(candidates),
    crowded: () => false,
    watch(analysis, at) {
      seenAt = analysis.face === undefined ? null : (seenAt ?? at)
      return {
        hint: null,
        progress: 0,
        done: seenAt !== null && at - seenAt >= t.fitMilliseconds,
        ...(seenAt !== null && { keep: { strength: 0, merit: meritOf(analysis), stray: false } }),
      }
    },
  }
}

/** A few pictures without any selection, for the server to judge. Pictures with several faces come first. */
export function snapshotStage(): StageWatch {
  let guidance = noGuidance
  let firstAt: number | null = null
  let telling = 0
  return {
    select: (candidates) => selectFrontal(candidates),
    crowded: () => guidance.crowded,
    watch(analysis, at) {
      firstAt ??= at
      guidance = guide(guidance, analysis, at)
      const everyone = analysis.face !== undefined && guidance.crowded
      if (everyone) telling++
      const merit = Math.max(-100, meritOf(analysis)) + (everyone ? 1000 : 0)
      const passed = at - firstAt
      const enough = telling >= frameLimits.snapshot && passed >= t.snapshotMilliseconds
      const done = enough || passed >= t.snapshotLimitMilliseconds
      return { hint: null, progress: 0, keep: { strength: 0, merit, stray: false }, done }
    },
  }
}

/**
 * Quality of a frontal picture: the minimum of sharpness, exposure, size and pose in the server's weighting, then the visibility
 * of the face in the mesh, then finer differences. Liveness is excluded, because it would teach a forger.
 */
export function meritOf({ face }: Analysis): number {
  if (face === undefined) return Number.NEGATIVE_INFINITY
  const { pose, quality, presence, clarity } = face
  const aside = Math.abs(pose.yaw) + Math.abs(pose.pitch) + Math.abs(pose.roll) / 2
  return 2 * clarity.share + Math.min(1.5, quality.sharpness / 200) + presence - aside / 15
}
