import { type Detection, detect, fullRange, shortRange } from './networks/detector.ts'
import type { Session } from './networks/session.ts'
import { detectUpright, type UprightOptions } from './networks/upright-detector.ts'
import { overlap } from './picture/geometry.ts'
import type { Picture } from './picture/picture.ts'
import type { Box } from './rules/analysis.ts'
import { tiledViewsOf, withMargin } from './views.ts'

/** Less than a detector is asked for alone: what it finds is looked at again. */
const minimumConfidence = 0.4
/** From here on the short-range network is sure of a face. */
const sureConfidence = 0.85

/**
 * Pixels of the longer side of the picture for each run of the network for upright faces, and its least confidence. The network was trained at the
 * first size; at the second it finds smaller faces, down to a fiftieth of that side.
 */
const uprightLooks: readonly UprightOptions[] = [
  { longest: 320, minimumConfidence: 0.5 },
  { longest: 480, minimumConfidence: 0.4 },
]
/** Boxes of both networks that overlap more show one face. */
const joinedOverlap = 0.4
/** Below, the box and the eyes that the short-range network finds in a whole picture are too far off for the mesh: it looks again, closer. */
const trustedConfidence = 0.6

/** The short-range network, and one for small faces: that for upright faces, or the full-range network, which needs tiles. */
export interface GroupDetectors {
  readonly near: Session
  readonly small: { readonly upright: Session } | { readonly far: Session }
}

/**
 * Finds every face of a picture; much of what is found is no face: see second-look.ts. Near faces first, in the whole picture, and in the
 * picture with a margin around unless a face is plain without: one that fills a picture is missed (without a margin, 7 more of 100 tight crops
 * of 48 pixels show no face). Then faces of every size.
 */
export async function detectGroup(
  { near, small }: GroupDetectors,
  picture: Picture,
  pause?: () => Promise<void>,
): Promise<Detection[]> {
  const found: Detection[] = []
  for (const margin of [0, 0.5]) {
    if (found.some(({ confidence }) => confidence >= sureConfidence)) break
    const within = withMargin(picture, margin)
    found.push(...(await detect(near, shortRange, picture, { within, minimumConfidence })))
  }
  if ('far' in small) return withoutRepeats([...found, ...(await detectInTiles(small.far, picture, pause))])
  const upright: Detection[] = []
  for (const look of uprightLooks) {
    await pause?.()
    upright.push(...(await detectUpright(small.upright, picture, look)))
  }
  return joined(found, upright)
}

/**
 * The faces of both networks. One that both see is as the short-range network sees it, with its eyes, if that network is sure enough to be
 * trusted with them. A box inside a larger one stays: either can be wrong, a part of a face that fills the picture or a pattern around small
 * faces, and the second look tells.
 */
function joined(near: readonly Detection[], upright: readonly Detection[]): Detection[] {
  const isSeenBy = (one: Detection) => (other: Detection) => overlap(one.box, other.box) > joinedOverlap
  const withEyes = withoutRepeats(near).flatMap((face): Detection[] => {
    const seen = upright.filter(isSeenBy(face)).map(({ confidence }) => confidence)
    if (seen.length === 0) return [face]
    return face.confidence < trustedConfidence ? [] : [{ ...face, upright: Math.max(...seen) }]
  })
  return [...withEyes, ...withoutRepeats(upright).filter((face) => !withEyes.some(isSeenBy(face)))]
}

/** In the whole picture and in it with a margin, and in two by two and four by four overlapping tiles, with a pause before each. */
async function detectInTiles(
  far: Session,
  picture: Picture,
  pause?: () => Promise<void>,
): Promise<Detection[]> {
  const found: Detection[] = []
  for (const within of tiledViewsOf(picture)) {
    await pause?.()
    found.push(...(await detect(far, fullRange, picture, { within, minimumConfidence })))
  }
  return found
}

/** Each face once: the most certain of those that overlap or lie in each other. */
export function withoutRepeats(found: readonly Detection[]): Detection[] {
  const kept: Detection[] = []
  for (const next of [...found].sort((a, b) => b.confidence - a.confidence)) {
    if (!kept.some(({ box }) => isSameFace(box, next.box))) kept.push(next)
  }
  return kept
}

/** Tiles cut faces: a part of a face lies mostly inside the whole of it. */
export function isSameFace(a: Box, b: Box): boolean {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  const smaller = Math.min(a.width * a.height, b.width * b.height)
  return overlap(a, b) > 0.3 || (width > 0 && height > 0 && width * height > 0.6 * smaller)
}
