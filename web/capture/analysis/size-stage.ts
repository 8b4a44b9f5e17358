import type { Rest } from '#models/rules/challenge/rest.ts'
import { sampleOf } from '#models/rules/challenge/rest.ts'
import { sizeOffset, sizeRules, wantedSize } from '#models/rules/challenge/size.ts'
import { isBack, strengthsOf } from '#models/rules/challenge/strength.ts'
import type { Analysis } from '#workers/api.ts'
import { actingHints, guide, type Hint, noGuidance } from './guidance.ts'
import type { Outline } from './oval.ts'
import { selectSized } from './selection.ts'
import { meritOf, type Observed, type StageWatch } from './stages.ts'
import { thresholds as t } from './thresholds.ts'

/** What one step's watch of the size remembers. Times are milliseconds of the stream. */
export interface SizeMemory {
  readonly startedAt: number | null
  /** Since when the face has had the size, looking straight ahead; null while it does not. */
  readonly since: number | null
  readonly hint: Hint | null
  /** 0...1; 1 where the size is reached. */
  readonly strength: number
  readonly done: boolean
}

export const noSize: SizeMemory = { startedAt: null, since: null, hint: null, strength: 0, done: false }

/** So far off, as a logarithm, nothing of the way is done. */
const wholeWay = 0.5

/**
 * The next memory. Pure. [Note: Held at its size] A size that is passed through is not reached: the face keeps it for a
 * moment. What was reached once may be left a little before it is asked again, so that the words do not flicker.
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

/** One size, as asked; there is no way back from it. */
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
    watch(analysis, at): Observed {
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
