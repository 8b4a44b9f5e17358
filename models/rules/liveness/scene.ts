import type { Box } from '#models/rules/analysis.ts'
import type { Observation } from '#models/rules/observation.ts'
import { rimPlaces } from './scene-signature.ts'

/**
 * How similar the rims of two frames in a visit must be, and their light. On footage filmed from a tripod and by hand, cut between takes, the
 * weakest link has at least 0.54 and 0.12. Different photographs of the same person reach both in 7 of 100 pairs, and in 1 of 1,350 sets of five.
 */
export const sceneLimits = { likeness: 0.45, light: 0.2 } as const

/** A face that grew by this factor has come closer. Places that it hides are not compared, and if too few places remain, nothing is. */
const nearing = { ratio: 1.25, fewestPlaces: 12 } as const

/**
 * True if all frames were taken in the same place: each one must resemble another, and all of them must be connected.
 *
 * [Note: One place throughout] Photographs of the same person, one for each action, have that person's identity and a real head's geometry, but they
 * do not share a background and light.
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

/** Drops frames in which a near face hides the place, because they would resemble any other frame. */
function showingThePlace(frames: readonly Observation[]): Observation[] {
  const smallest = Math.min(...frames.map(widthOf).filter((width) => width > 0))
  const isNear = (frame: Observation) => widthOf(frame) >= nearing.ratio * smallest
  return frames.filter((frame) => !isNear(frame) || openPlaces([frame]).length >= nearing.fewestPlaces)
}

/**
 * Faces of one size hide the same part of the place, so whole rims and the light are compared.
 * [Note: A near face hides the place] If one came nearer, only the parts hidden by neither head are compared, and not the
 * light, since a camera exposes for whatever fills its picture.
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

/** The face's width as a share of the picture's width, or 0 if there is no face. */
function widthOf({ face, width }: Observation): number {
  return (face?.box.width ?? 0) / width
}

/** The places on the rim that no head hides. */
function openPlaces(frames: readonly Observation[]): number[] {
  return rimPlaces.flatMap(({ x, y }, i) =>
    frames.some(({ face, width, height }) => face !== null && isHidden(face.box, x * width, y * height))
      ? []
      : [i],
  )
}

/** How far hair and ears extend around a face's box, and neck and shoulders below it, in face widths from its centre. */
const hidden = { head: 0.75, shoulders: 1.5, hair: 0.5 } as const

function isHidden(face: Box, x: number, y: number): boolean {
  const across = Math.abs(x - face.x - face.width / 2) / face.width
  const isBelow = y > face.y + face.height
  return across < (isBelow ? hidden.shoulders : hidden.head) && y > face.y - hidden.hair * face.width
}

/** A contrast well below this counts as an even wall without a pattern. Two even walls are considered alike. */
const evenContrast = 12

/**
 * The similarity of two rims, -1...1. This is their correlation, reduced if their contrast differs, and 1 for two even rims. At the limit, it
 * rejects less footage of 52 living people than a plain correlation would, and accepts fewer photographs.
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
