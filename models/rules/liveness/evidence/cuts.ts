import type { Observation } from '#models/rules/observation.ts'
import type { Cue, CueAnswer } from './cue.ts'
import { type Distance, distanceOf, type FaceMoment, jumpAt } from './jump.ts'
import { type FilmedVisit, filmLimits, isTrailComplete, shareOf, type TrailPoint } from './trail.ts'

/**
 * The largest jump that any living person made between two pictures of a film (see docs/assurance.md): 47 people in 52 clips, at 6, 3 and 2
 * pictures per second.
 */
export const jumpLimits: Distance = {
  pose: 20.5,
  roll: 7.8,
  shift: 0.16,
  size: 0.14,
  light: 0.092,
  place: 36,
}

/** How far a living person's frame was at most from the film at the same time, in the same clips, with full-size frames. */
export const frameLimits: Distance = { pose: 18, roll: 8, shift: 0.16, size: 0.12, light: 0.1, place: 36 }

/** In units of these limits: `held` requires less than one, and `broken` more than this. */
const brokenBeyond = 2

/** The minimum movement: degrees between the two most different pictures, or growth of the face, and the number of pictures in between. */
const leastMovement = { pose: 12, size: Math.log(1.2), between: 2 } as const

/** The minimum share of pictures with a face. If the face is lost for longer, a different one may have come back. */
const leastFaces = 0.8

export interface CutsInput extends FilmedVisit {
  readonly trail: readonly TrailPoint[]
  readonly observations: readonly Observation[]
}

/**
 * Checks that pose, place and light change without a jump, and that the frames match the film. The value is the largest jump relative to the largest
 * jump of any living person. A film that was assembled from segments shows its seams unless they were smoothed, so `held` does not prove that there
 * was a camera.
 *
 * [Note: Twice the worst] The cue is broken above twice the largest value of any living person. Between once and twice that value, there is no
 * answer.
 */
export function cuts({ trail, ...visit }: CutsInput): Cue {
  const stretches = stretchesOf(trail)
  const jumps = stretches.flatMap((film) => film.slice(1).map((_, at) => jumpAt(film, at, jumpLimits)))
  if (jumps.length === 0) return { name: 'cuts', answer: 'cannotTell', value: null }
  const placed = visit.observations.map((frame) => offFilm(frame, trail))
  const value = Math.max(...jumps, ...placed.map((off) => off ?? 0))
  const isWhole =
    stretches.length === 1 &&
    placed.every((off) => off !== undefined) &&
    isTrailComplete(trail, visit) &&
    trail.filter(({ face }) => face !== null).length >= trail.length * leastFaces
  return { name: 'cuts', answer: answerOf(value, isWhole && isMoving(stretches[0]!)), value }
}

function answerOf(value: number, isTelling: boolean): CueAnswer {
  if (value > brokenBeyond) return 'broken'
  return isTelling && value <= 1 ? 'held' : 'cannotTell'
}

/**
 * The pictures with a face in order of arrival, split at long gaps and wherever the time goes back, since anything may have happened in
 * between.
 */
function stretchesOf(trail: readonly TrailPoint[]): FaceMoment[][] {
  const stretches: FaceMoment[][] = []
  for (const point of trail) {
    const seen = seenIn(point)
    if (seen === undefined) continue
    const before = stretches.at(-1)?.at(-1)
    const isNext =
      before !== undefined && seen.time > before.time && seen.time - before.time <= filmLimits.gap
    if (isNext) stretches.at(-1)!.push(seen)
    else stretches.push([seen])
  }
  return stretches
}

function seenIn({ time, luminance, face, place }: TrailPoint): FaceMoment | undefined {
  return face === null ? undefined : { time, luminance, place, ...face }
}

/**
 * How far a frame is from the film, relative to the furthest frame of any living person: its distance from the nearer of the two surrounding
 * pictures, minus their distance from each other. Undefined if there is no film, 0 for a frame without a face.
 */
function offFilm(frame: Observation, trail: readonly TrailPoint[]): number | undefined {
  if (frame.face === null) return 0
  const around = trail
    .flatMap((point) => seenIn(point) ?? [])
    .filter(({ time }) => Math.abs(time - frame.time) <= filmLimits.rim)
    .sort((a, b) => Math.abs(a.time - frame.time) - Math.abs(b.time - frame.time))
    .slice(0, 2)
  if (around.length === 0) return undefined
  const own: FaceMoment = { ...frame, box: shareOf(frame.face.box, frame), pose: frame.face.pose, place: [] }
  const [nearest, other] = around as [FaceMoment, FaceMoment?]
  const moved = other === undefined ? undefined : distanceOf(nearest, other)
  const offs = around.map((point) => distanceOf(own, point))
  const signals = ['pose', 'shift', 'size', 'light'] as const
  const off = (signal: keyof Distance) =>
    (Math.min(...offs.map((one) => one[signal])) - (moved?.[signal] ?? 0)) / frameLimits[signal]
  return Math.max(0, ...signals.map(off))
}

/** True if the head moved and was filmed while moving. A sequence of stills has no pictures in between. */
function isMoving(film: readonly FaceMoment[]): boolean {
  const { pose, size, between } = leastMovement
  const ways = [
    { values: film.map((seen) => seen.pose.yaw), least: pose },
    { values: film.map((seen) => seen.pose.pitch), least: pose },
    { values: film.map(({ box }) => Math.log(box.width)), least: size },
  ]
  return ways.some(({ values, least }) => {
    const low = Math.min(...values)
    const range = Math.max(...values) - low
    const onTheWay = values.filter((value) => Math.abs((value - low) / range - 0.5) <= 0.25)
    return range >= least && onTheWay.length >= between
  })
}
