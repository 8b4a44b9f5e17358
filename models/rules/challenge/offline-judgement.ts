import type { Analysis } from '#models/rules/analysis.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import { backShare, strayShare } from './action-limits.ts'
import { type Rest, restOf, sampleOf } from './rest.ts'
import { sizeOffset, sizeRules } from './size.ts'
import type { Outcome } from './step.ts'
import { strengthsOf, strongestOfHead } from './strength.ts'

/** The face at rest, taken from the pictures of step 0. */
export function restIn(pictures: readonly Analysis[]): Rest {
  return restOf(pictures.flatMap((picture) => sampleOf(picture) ?? []))
}

/** Decides whether a step's pictures show the requested action and no other head movement. */
export function judgePictures(
  asked: Action,
  pictures: readonly Analysis[],
  rest: Rest,
  size?: number,
): Outcome {
  if (showsOther(pictures, rest, asked, 1)) return 'otherAction'
  if (size !== undefined) return endsAtSize(pictures, rest, size) ? 'performed' : 'notPerformed'
  const strongest = Math.max(0, ...pictures.map((picture) => strengthsOf(picture, rest)?.[asked] ?? 0))
  if (strongest < 1) return 'notPerformed'
  return asked !== 'blink' || opensAgain(pictures, rest) ? 'performed' : 'notPerformed'
}

/** True if the last pictures show a head movement that was not requested. */
export function movesAfter(pictures: readonly Analysis[], rest: Rest, lastAsked: Action): boolean {
  return showsOther(pictures, rest, lastAsked, strayShare)
}

function showsOther(pictures: readonly Analysis[], rest: Rest, asked: Action, share: number): boolean {
  return pictures.some((picture) => {
    const strengths = strengthsOf(picture, rest)
    if (strengths === undefined) return false
    const strongest = strongestOfHead(strengths, asked)
    return strongest >= share && strongest > strengths[asked]
  })
}

function endsAtSize(pictures: readonly Analysis[], rest: Rest, size: number): boolean {
  const last = pictures.flatMap((picture) => sampleOf(picture) ?? []).at(-1)
  return last !== undefined && Math.abs(sizeOffset(last.size, size, rest.size)) <= sizeRules.tolerance.needed
}

function opensAgain(pictures: readonly Analysis[], rest: Rest): boolean {
  return pictures.some((picture) => (strengthsOf(picture, rest)?.blink ?? 1) < backShare)
}
