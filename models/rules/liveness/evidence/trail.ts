import type { Analysis, Box, FaceAnalysis, Pose } from '#models/rules/analysis.ts'
import type { StepRecord } from '#models/rules/challenge/step.ts'
import { rimOf } from '#models/rules/liveness/scene-signature.ts'
import type { Observation } from '#models/rules/observation.ts'
import { isFilmPossible } from './film-time.ts'

/** What the server's own analysis found in one small picture of the trail. No picture is in it. */
export interface TrailPoint {
  /** Milliseconds since the camera started: the device's word, a hint. */
  readonly time: number
  /** The server's clock, milliseconds since 1970. */
  readonly receivedAt: number
  /** Of the whole picture, 0...255. */
  readonly luminance: number
  /** The box in shares of the picture's width and height: small pictures and frames are compared. */
  readonly face: { readonly box: Box; readonly pose: Pose } | null
  /** The rim of the picture, see scene-signature.ts; whole numbers. */
  readonly place: readonly number[]
  /** What it is known by if it comes again; absent where no face is in it. */
  readonly digest?: string
  /** Identifies a re-encoded film; absent without a face, and from films of 0.2.0. */
  readonly sketch?: string
  /** Whether it came before, with another session or in another try; absent where it was not looked up. */
  readonly isKnown?: boolean
}

/** When a picture of the trail was taken and came. */
export type TrailMoment = Pick<TrailPoint, 'time' | 'receivedAt'>

/** What is kept of a picture of the trail: some sixty numbers. */
export function trailPointOf(analysis: Analysis, { time, receivedAt }: TrailMoment): TrailPoint {
  const { luminance, face, sceneSignature: signature } = analysis
  return {
    time,
    receivedAt,
    luminance: rounded(luminance, 1),
    face: face === undefined ? null : faceOf(face, analysis),
    place: signature === undefined ? [] : rimOf(signature).map(Math.round),
  }
}

function faceOf({ box, pose }: Pick<FaceAnalysis, 'box' | 'pose'>, size: Pick<Analysis, 'width' | 'height'>) {
  const { yaw, pitch, roll } = pose
  return {
    box: shareOf(box, size),
    pose: { yaw: rounded(yaw, 1), pitch: rounded(pitch, 1), roll: rounded(roll, 1) },
  }
}

/** A box in shares of a picture's width and height. */
export function shareOf({ x, y, width, height }: Box, size: { width: number; height: number }): Box {
  return {
    x: rounded(x / size.width, 4),
    y: rounded(y / size.height, 4),
    width: rounded(width / size.width, 4),
    height: rounded(height / size.height, 4),
  }
}

function rounded(value: number, digits: number): number {
  const scale = 10 ** digits
  return Math.round(value * scale) / scale
}

/** What of a visit its film must cover. */
export interface FilmedVisit {
  readonly steps: readonly Pick<StepRecord, 'revealedAt' | 'answeredAt'>[]
  readonly observations: readonly Pick<Observation, 'time' | 'receivedAt'>[]
}

/** How closely a film follows what it covers. Milliseconds, but for `leastPerSecond`. */
export interface FilmDensity {
  /** So long at most without a picture. */
  readonly gap: number
  /** Pictures a second of what is covered. */
  readonly leastPerSecond: number
  /** A frame lies at most so far from a picture of the film: before the first one, after the last one, or between two. */
  readonly rim: number
}

/** What `standard` asks of a film. */
export const filmLimits: FilmDensity = {
  /** A phone that manages three a second, and a hiccup. */
  gap: 1000,
  /** The page is asked for six, and a slow device manages three. */
  leastPerSecond: 2.5,
  rim: 500,
}

/**
 * What is asked of everybody. [Note: A slow device is no forger] A picture of the film is taken with the frames, from the same stream: there
 * is one near every frame, however slow the device is, and whatever came between two of them.
 */
export const leastFilm: FilmDensity = { gap: Number.POSITIVE_INFINITY, leastPerSecond: 0.5, rim: 1500 }

/**
 * What a film must show besides the frames: a face in so many of its pictures, and so many of these must differ from one another.
 *
 * [Note: A film that shows nothing] Dark, grey or one picture over and over is no film. Both limits were set before they were tried: of 48 living people, 40
 * pictures each, small as the page sends them, the one with the fewest faces has 85 %, in a dim room 75 %; 97 % of the pictures differ at least.
 */
const shownLimits = { faces: 0.5, different: 0.25 } as const

/**
 * Whether there is a film wherever there are frames, of each request from its first frame to its last one, somebody is seen in it, and it was not sent before.
 *
 * [Note: A film belongs to its request] Its pictures are near the frames of the same request. The device's times tell how they follow one another,
 * and nothing more. Between two requests there may be a pause: a slow network, a page that was put aside, a camera that was opened again.
 */
export function isTrailComplete(
  trail: readonly TrailPoint[],
  { steps, observations }: FilmedVisit,
  density: FilmDensity = filmLimits,
): boolean {
  const ends = steps.map(({ answeredAt }) => answeredAt)
  const requestOf = ({ receivedAt }: TrailMoment) => {
    const index = ends.findIndex((end) => receivedAt <= end)
    return index < 0 ? ends.length : index
  }
  const requests = [...ends.keys(), ends.length].map((request) => ({
    frames: observations.filter((frame) => requestOf(frame) === request),
    film: trail.filter((point) => requestOf(point) === request),
  }))
  const withFrames = requests.filter(({ frames }) => frames.length > 0)
  const isThere = withFrames.length > 0 && withFrames.every((filmed) => isCovered(filmed, density))
  return (
    isThere &&
    isFilmPossible(trail, steps) &&
    !cameBefore(trail) &&
    showsSomebody(withFrames.flatMap((filmed) => aroundFrames(filmed, density)))
  )
}

/** From this share on of the pictures that were looked up, a film came before. */
const knownShare = 0.5

/**
 * Whether a film came before, with another session or in another try. [Note: A film is taken once] No two of 2,770 small pictures of 40 living
 * people's clips, six a second, were the same to the last digit, not even of one clip: so few pictures are enough to tell.
 */
function cameBefore(trail: readonly TrailPoint[]): boolean {
  const lookedUp = trail.flatMap(({ isKnown }) => isKnown ?? [])
  return lookedUp.length > 0 && lookedUp.filter(Boolean).length >= lookedUp.length * knownShare
}

function aroundFrames({ frames, film }: Filmed, { rim }: FilmDensity): readonly TrailPoint[] {
  return film.filter((point) => frames.some(({ time }) => Math.abs(point.time - time) <= rim))
}

/** Whether a face is seen in these pictures, and they are not one picture many times. */
function showsSomebody(film: readonly TrailPoint[]): boolean {
  const shown = film.flatMap(({ face, luminance, place }) =>
    face === null ? [] : JSON.stringify([face, luminance, place]),
  )
  const { faces, different } = shownLimits
  return shown.length >= film.length * faces && new Set(shown).size >= shown.length * different
}

interface Filmed {
  readonly frames: readonly TrailMoment[]
  readonly film: readonly TrailPoint[]
}

function isCovered({ frames, film }: Filmed, { gap, leastPerSecond, rim }: FilmDensity): boolean {
  const shot = frames.map(({ time }) => time)
  const from = Math.min(...shot)
  const to = Math.max(...shot)
  const times = film.map(({ time }) => time).sort((a, b) => a - b)
  const during = times.filter((time) => time >= from - rim && time <= to + rim)
  const [first, last] = [during[0], during.at(-1)]
  if (first === undefined || last === undefined) return false
  const isOutside = shot.every((at) => during.some((time) => Math.abs(time - at) <= rim))
  const isDense = during.every((time, i) => i === 0 || time - during[i - 1]! <= gap)
  const isOften = during.length - 1 >= ((last - first) / 1000) * leastPerSecond
  return isOutside && isDense && isOften
}
