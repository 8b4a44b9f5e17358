import type { Analysis, FaceAnalysis } from '#workers/api.ts'
import { ovalShare } from './oval.ts'

/** The face's place in the frame, in shares of the frame's short side; x grows to the image's right, y down. */
export interface Place {
  readonly size: number
  /** How wide the face is in widths of the oval: 1 fills it. */
  readonly fill: number
  readonly x: number
  readonly y: number
  /** How far the box sticks out of the frame at its worst side; negative inside. */
  readonly outside: number
}

/** Where the face is and how large. */
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
