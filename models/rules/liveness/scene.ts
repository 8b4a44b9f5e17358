import type { Box } from '#models/rules/analysis.ts'
import type { Observation } from '#models/rules/observation.ts'
import { rimPlaces } from './scene-signature.ts'

/**
 * How alike the rims of two frames of one visit must be, and how close their light. Measured on footage on a stand and
 * in the hand, cut between takes: at least 0.54 and 0.12 at the weakest link; different photographs of one person
 * reach both in 7 of 100 pairs, and in 1 of 1,350 sets of five.
 */
export const sceneLimits = { likeness: 0.45, light: 0.2 } as const

/** A face this many times as wide came nearer: what it hides is not compared, and with fewer places left nothing is. */
const nearing = { ratio: 1.25, fewestPlaces: 12 } as const

/**
 * Whether all frames were taken in one place: each must resemble another one, and all must hang together.
 *
 * [Note: One place throughout] Photographs of one person, sent one for each action, have that person's identity and a
 * real head's geometry. What they do not have is one background and one light.
 */
export function isOnePlace(observations: readonly Observation[]): boolean {
  const frames = showingThePlace(observations.filter(({ rim }) => rim.length > 0))
  const reached = new Set(frames.slice(0, 1))
  for (let grown = true; grown; ) {
    const next = frames.filter(
      (frame) => !reached.has(frame) && [...reached].some((other) => alike(frame, other)),
    )
    for (const frame of next) reached.add(frame)
    grown = next.length > 0
  }
  return reached.size === frames.length
}

/** Without those in which a face that came nearer hides the place: they would resemble any. */
function showingThePlace(frames: readonly Observation[]): Observation[] {
  const smallest = Math.min(...frames.map(widthOf).filter((width) => width > 0))
  const isNear = (frame: Observation) => widthOf(frame) >= nearing.ratio * smallest
  return frames.filter((frame) => !isNear(frame) || openPlaces([frame]).length >= nearing.fewestPlaces)
}

/**
 * Faces of one size hide as much of the place: whole rims are compared, and the light. [Note: A near face hides the place] Where one
 * came nearer, only what neither head hides is compared, and no light: a camera is exposed for what fills its picture.
 */
function alike(a: Observation, b: Observation): boolean {
  const [smaller, larger] = [widthOf(a), widthOf(b)].sort((x, y) => x - y) as [number, number]
  if (smaller === 0 || larger < nearing.ratio * smaller) {
    const light = Math.abs(Math.log(Math.max(1, a.luminance) / Math.max(1, b.luminance)))
    return light <= sceneLimits.light && likenessOf(a.rim, b.rim) >= sceneLimits.likeness
  }
  const open = openPlaces([a, b])
  const [from, to] = [open.map((i) => a.rim[i]!), open.map((i) => b.rim[i]!)]
  return open.length >= nearing.fewestPlaces && likenessOf(from, to) >= sceneLimits.likeness
}

/** Share of the picture's width; 0 without a face. */
function widthOf({ face, width }: Observation): number {
  return (face?.box.width ?? 0) / width
}

/** Which places of the rim no head hides. */
function openPlaces(frames: readonly Observation[]): number[] {
  return rimPlaces.flatMap(({ x, y }, i) =>
    frames.some(({ face, width, height }) => face !== null && isHidden(face.box, x * width, y * height))
      ? []
      : [i],
  )
}

/** Hair and ears lie around the box of a face, neck and shoulders below; in widths of the face from its middle. */
const hidden = { head: 0.75, shoulders: 1.5, hair: 0.5 } as const

function isHidden(face: Box, x: number, y: number): boolean {
  const across = Math.abs(x - face.x - face.width / 2) / face.width
  const isBelow = y > face.y + face.height
  return across < (isBelow ? hidden.shoulders : hidden.head) && y > face.y - hidden.hair * face.width
}

/** An even wall has no pattern to compare: contrast well below this counts as none, and two of them are alike. */
const evenContrast = 12

/**
 * How alike two rims are, -1...1: their correlation, less where one has more contrast than the other, and 1 for two even
 * ones. Of 52 living people's footage at the limit fewer are refused than by a plain correlation, and fewer photographs are alike.
 */
export function likenessOf(a: readonly number[], b: readonly number[]): number {
  const [from, to] = [centred(a), centred(b)]
  const even = evenContrast ** 2
  return (dot(from, to) + even) / ((dot(from, from) + dot(to, to)) / 2 + even)
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}

function centred(rim: readonly number[]): number[] {
  const mean = rim.reduce((sum, value) => sum + value, 0) / rim.length
  return rim.map((value) => value - mean)
}
