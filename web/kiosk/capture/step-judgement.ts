import type { Action } from '#shared/contract/sessions/session.ts'
import { type Movement, strengthsOf } from '#web/visit/capture/movement.ts'
import { type Neutral, neutralOf, sampleOf } from '#web/visit/capture/neutral.ts'
import { thresholds } from '#web/visit/capture/thresholds.ts'
import type { Analysis } from '#workers/api.ts'
import type { StepOutcome } from './plan-walk.ts'

const headMovements = ['turnLeft', 'turnRight', 'lookUp', 'lookDown'] as const satisfies readonly Movement[]

/** The face at rest that the pictures of step 0 show. */
export function restOf(pictures: readonly Analysis[]): Neutral {
  return neutralOf(pictures.flatMap((picture) => sampleOf(picture) ?? []))
}

/** Whether the pictures of a step show the asked action, and no movement of the head instead of it. */
export function judgePictures(asked: Action, pictures: readonly Analysis[], rest: Neutral): StepOutcome {
  if (showsOther(pictures, rest, asked, 1)) return 'otherAction'
  const strongest = Math.max(0, ...pictures.map((picture) => strengthsOf(picture, rest)?.[asked] ?? 0))
  if (strongest < 1) return 'notPerformed'
  return asked !== 'blink' || opensAgain(pictures, rest) ? 'performed' : 'notPerformed'
}

/** Whether the last pictures show a movement of the head that nobody asked for. */
export function movesAfter(pictures: readonly Analysis[], rest: Neutral, lastAsked: Action): boolean {
  return showsOther(pictures, rest, lastAsked, thresholds.strayShare)
}

function showsOther(pictures: readonly Analysis[], rest: Neutral, asked: Action, share: number): boolean {
  const others = headMovements.filter((movement) => movement !== asked)
  return pictures.some((picture) => {
    const strengths = strengthsOf(picture, rest)
    if (strengths === undefined) return false
    const strongest = Math.max(...others.map((movement) => strengths[movement]))
    return strongest >= share && strongest > strengths[asked]
  })
}

function opensAgain(pictures: readonly Analysis[], rest: Neutral): boolean {
  return pictures.some((picture) => (strengthsOf(picture, rest)?.blink ?? 1) < thresholds.backShare)
}
