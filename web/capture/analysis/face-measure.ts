import type { Analysis, FaceAnalysis } from '#workers/api.ts'
import { ovalShare } from './oval.ts'

/** The face's position relative to the frame's short side; x increases to the right of the image, y downwards. */
export interface Place {
  readonly size: number
  /** The face's width relative to the oval; at 1 it fills the oval. */
  readonly fill: number
  readonly x: number
  readonly y: number
  /** How far the face extends beyond the frame on its worst side; negative if it is inside. */
  readonly outside: number
}

/** Computes the face's position and size. */
export function placeOf({ width, height }: Analysis, { box }: FaceAnalysis): Place {
  const short = Math.min(width, height)
  const beyond = Math.max(-box.x, -box.y, box.x + box.width - width, box.y + box.height - height)
  return {
    size: box.width / short,
    fill: box.width / short / ovalShare(width / height),
    x: (box.x + box.width / 2 - width / 2) / short,
    y: (box.y + box.height / 2 - height / 2) / short,
    outside: beyond / short,
  }
}
