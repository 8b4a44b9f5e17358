import type { Rest } from '#models/rules/challenge/rest.ts'
import { sampleOf } from '#models/rules/challenge/rest.ts'
import { sizeOffset, sizeRules, wantedSize } from '#models/rules/challenge/size.ts'
import { isBack, strengthsOf } from '#models/rules/challenge/strength.ts'
import type { Hint } from '#web/wording/findings.ts'
import type { Analysis } from '#workers/api.ts'
import { actingHints, guide, noGuidance } from './guidance.ts'
import type { Outline } from './oval.ts'
import { selectSized } from './selection.ts'
import { meritOf, type StageAnswer, type StageWatch } from './stages.ts'
import { thresholds as t } from './thresholds.ts'

/** The state of one step that requests a size. Times are stream time in milliseconds. */
export interface SizeMemory {
  readonly startedAt: number | null
  /** When the face reached the size while looking straight ahead; null while it does not have that size. */
  readonly since: number | null
  readonly hint: Hint | null
  /** From 0 to 1; 1 once the size is reached. */
  readonly strength: number
  readonly done: boolean
}

export const noSize: SizeMemory = { startedAt: null, since: null, hint: null, strength: 0, done: false }

/** Progress is 0 at this distance, expressed as a logarithm. */
const wholeWay = 0.5

/**
 * Computes the next state. Pure. [Note: Held at its size] Passing through a size does not count: the face must keep it for a
 * moment. Once reached, small deviations are tolerated, so that the text does not flicker.
 */
export function watchSize(
  memory: SizeMemory,
  analysis: Analysis,
  at: number,
  { size, neutral }: { readonly size: number; readonly neutral: Rest },
): SizeMemory {
  const startedAt = memory.startedAt ?? at
  const sample = sampleOf(analysis)
  const strengths = strengthsOf(analysis, neutral)
  if (sample === undefined || strengths === undefined)
    return { ...memory, startedAt, since: null, hint: null, strength: 0 }
  const offset = sizeOffset(sample.size, size, neutral.size)
  const within = sizeRules.tolerance.asked * (memory.since === null ? 1 : t.size.leaveShare)
  if (Math.abs(offset) > within) {
    const strength = Math.max(0, 0.95 * (1 - Math.abs(offset) / wholeWay))
    return { startedAt, since: null, hint: offset < 0 ? 'closer' : 'back', strength, done: false }
  }
  if (!isBack(strengths)) return { startedAt, since: null, hint: 'straight', strength: 0.95, done: false }
  const since = memory.since ?? at
  const isHeld = at - since >= t.size.heldMilliseconds && at - startedAt >= t.action.leastMilliseconds
  return { startedAt, since, hint: 'still', strength: 1, done: isHeld }
}

/** A stage for a single requested size, without a return. */
export function sizeStage(
  size: number,
  room: number,
  neutral: Rest,
  onOutline: (outline: Outline) => void,
): StageWatch {
  let guidance = noGuidance
  let memory = noSize
  const show = (analysis: Analysis) => {
    const { width, height } = analysis
    const seen = sampleOf(analysis)?.size ?? 0
    onOutline({ wanted: wantedSize(size, neutral.size), seen, aspect: width / height })
  }
  return {
    select: (candidates) => selectSized(candidates, room),
    crowded: () => guidance.crowded,
    watch(analysis, at): StageAnswer {
      guidance = guide(guidance, analysis, at, actingHints)
      memory = watchSize(memory, analysis, at, { size, neutral })
      show(analysis)
      const { hint, strength, done } = memory
      const keep = { strength, merit: meritOf(analysis), stray: false }
      return {
        hint: guidance.shown ?? hint,
        progress: strength,
        acted: done,
        done,
        urgent: done,
        ...(analysis.face !== undefined && { keep }),
      }
    },
  }
}
