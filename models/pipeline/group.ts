import { type Detection, detect, fullRange, shortRange } from '#models/networks/detector.ts'
import type { Session } from '#models/networks/session.ts'
import { detectUpright, type UprightOptions } from '#models/networks/upright-detector.ts'
import { overlap } from '#models/picture/geometry.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { Box } from '#models/rules/analysis.ts'
import { tiledViewsOf, withMargin } from './views.ts'

/** Lower than for a detector alone, because its detections are checked by a second look. */
const minimumConfidence = 0.4
/** From here on the short-range network is sure of a face. */
const sureConfidence = 0.85

/**
 * For each run of the network for upright faces: pixels on the longer side of its input, and minimum confidence. The
 * network was trained at the first size; at the second it finds smaller faces, down to a fiftieth of that side.
 */
const uprightLooks: readonly UprightOptions[] = [
  { longest: 320, minimumConfidence: 0.5 },
  { longest: 480, minimumConfidence: 0.4 },
]
/** Boxes of both networks that overlap more show one face. */
const joinedOverlap = 0.4
/**
 * Below this, the box and eyes that the short-range network finds in a whole picture are too imprecise for the mesh, so
 * it looks again at closer range.
 */
const trustedConfidence = 0.6

/** The short-range network, and one for small faces: the network for upright faces, or the full-range network, which needs tiles. */
export interface GroupDetectors {
  readonly near: Session
  readonly small: { readonly upright: Session } | { readonly far: Session }
}

/**
 * Finds every face of a picture, with many false detections: see second-look.ts. First near faces, in the whole picture,
 * and in the picture with a margin unless a face is obvious without one, because a face that fills a picture is missed
 * otherwise (7 more of 100 tight crops of 48 pixels). Then faces of every size.
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
 * Merges the faces of both networks. If both see a face, the short-range network's detection and eyes are used, provided
 * that it is sure enough. A box inside a larger one is kept: either may be wrong, part of a face that fills the picture
 * or a pattern around small faces, and the second look decides.
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

/** Searches the whole picture, the same with a margin, and overlapping tiles of two by two and four by four, with a pause before each. */
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

/** Each face once: the most certain of those that overlap or contain each other. */
export function withoutRepeats(found: readonly Detection[]): Detection[] {
  const kept: Detection[] = []
  for (const next of [...found].sort((a, b) => b.confidence - a.confidence)) {
    if (!kept.some(({ box }) => isSameFace(box, next.box))) kept.push(next)
  }
  return kept
}

/** Tiles cut faces: part of a face lies mostly inside the whole of it. */
export function isSameFace(a: Box, b: Box): boolean {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  const smaller = Math.min(a.width * a.height, b.width * b.height)
  return overlap(a, b) > 0.3 || (width > 0 && height > 0 && width * height > 0.6 * smaller)
}
