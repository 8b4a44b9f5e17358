import type { Analysis, FaceAnalysis } from '#workers/api.ts'
import { ovalShare } from './oval.ts'

/** Position of the face relative to the short side of the frame; x grows to the image's right, y downwards. */
export interface Place {
  readonly size: number
  /** Width of the face relative to the oval: 1 fills it. */
  readonly fill: number
  readonly x: number
  readonly y: number
  /** How far the box extends beyond the frame at its worst side; negative inside. */
  readonly outside: number
}

/** Position and size of the face. */
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
