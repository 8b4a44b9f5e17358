import type { Feed } from '#models/picture/feed.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { Box } from '#models/rules/analysis.ts'

const feed: Feed = { size: 96, channels: 'grey', scale: 1, offset: 0 }
/** Pixels darker than this share of the face's luminance count as dark. */
const darkShare = 0.3

/** Nothing is reported if less than this share of the surroundings is visible. */
const leastOutside = 0.1

/**
 * The share of the area in `box` outside the face that is much darker than the face, 0...1. It is 0 if the face fills the box.
 *
 * [Note: A screen shines] A screen is bright, while its frame is black and the room that its camera sees is dim. A print is lit by the same light as
 * the room. In a picture without a living face, this distinguishes screens from prints. It does not say anything about liveness.
 */
export function darkSurround(picture: Picture, face: Box, box: Box): number {
  const grey = picture.stretch(box, feed).data
  const inFace = (i: number) => {
    const x = box.x + (((i % feed.size) + 0.5) / feed.size) * box.width - face.x
    const y = box.y + ((Math.floor(i / feed.size) + 0.5) / feed.size) * box.height - face.y
    return x > 0 && x < face.width && y > 0 && y < face.height
  }
  const within: number[] = []
  const outside: number[] = []
  for (let i = 0; i < grey.length; i++) (inFace(i) ? within : outside).push(grey[i]!)
  if (within.length === 0 || outside.length < leastOutside * grey.length) return 0
  const limit = (darkShare * within.reduce((sum, value) => sum + value, 0)) / within.length
  return outside.filter((value) => value < limit).length / outside.length
}
