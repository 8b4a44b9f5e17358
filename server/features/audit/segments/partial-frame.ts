import type { Frame, SplitFrame } from './segments.ts'

/** The part of a frame that remains after a cut. A checkpoint at the cut itself remains, because the rest of the log starts from it. */
export function partBeyond(frame: Frame, through: number, split: SplitFrame): Frame | undefined {
  if (frame.kind === 'checkpoint') return frame.last >= through ? frame : undefined
  if (frame.last <= through) return undefined
  return frame.first > through ? frame : split(frame)
}

/** The part of a frame that a restore keeps. */
export function partUpTo(frame: Frame, through: number, split: SplitFrame): Frame | undefined {
  if (frame.last <= through) return frame
  return frame.kind === 'checkpoint' || frame.first > through ? undefined : split(frame)
}
