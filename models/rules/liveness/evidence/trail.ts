import type { Analysis, Box, FaceAnalysis, Pose } from '#models/rules/analysis.ts'
import type { StepRecord } from '#models/rules/challenge/step.ts'
import { rimOf } from '#models/rules/liveness/scene-signature.ts'
import type { Observation } from '#models/rules/observation.ts'
import { isFilmPossible } from './film-time.ts'

/** The server's analysis of one small picture of the film, without the picture. */
export interface TrailPoint {
  /** Milliseconds since the camera started, as reported by the device; only a hint. */
  readonly time: number
  /** The server's clock, milliseconds since 1970. */
  readonly receivedAt: number
  /** Of the whole picture, 0...255. */
  readonly luminance: number
  readonly face: FilmedFace | null
  /** The rim of the picture, see scene-signature.ts; whole numbers. */
  readonly place: readonly number[]
  /** Recognises the picture if it is sent again; absent without a face. */
  readonly digest?: string
  /** Identifies a re-encoded film; absent without a face, and from films of 0.2.0. */
  readonly sketch?: string
  /** True if it came before, in another session or try; absent if it was not looked up. */
  readonly isKnown?: boolean
}

/** The face in a picture of the trail. */
export interface FilmedFace {
  /** In shares of the picture's width and height: small pictures and frames are compared. */
  readonly box: Box
  readonly pose: Pose
  /** Three decimals of a unit embedding; only in the pictures that the server drew, if the face is large enough. */
  readonly embedding?: readonly number[]
}

/** Pixels: the width of the smallest face in a film that can be compared. */
const leastFaceInPixels = 16

/** When a picture of the trail was taken and came. */
export type TrailMoment = Pick<TrailPoint, 'time' | 'receivedAt'>

/** The numbers that are kept of a picture of the trail: some sixty, and an embedding if one was asked for. */
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

function faceOf(
  { box, pose, embedding }: Pick<FaceAnalysis, 'box' | 'pose' | 'embedding'>,
  size: Pick<Analysis, 'width' | 'height'>,
): FilmedFace {
  const { yaw, pitch, roll } = pose
  const isComparable = embedding !== undefined && box.width >= leastFaceInPixels
  return {
    box: shareOf(box, size),
    pose: { yaw: rounded(yaw, 1), pitch: rounded(pitch, 1), roll: rounded(roll, 1) },
    ...(isComparable && { embedding: Array.from(embedding, (value) => rounded(value, 3)) }),
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

/** The parts of a visit that its film must cover. */
export interface FilmedVisit {
  readonly steps: readonly Pick<StepRecord, 'revealedAt' | 'answeredAt'>[]
  readonly observations: readonly Pick<Observation, 'time' | 'receivedAt'>[]
}

/** Required density of a film. Milliseconds, except `leastPerSecond`. */
export interface FilmDensity {
  /** Longest gap between two pictures. */
  readonly gap: number
  /** Pictures per second of the covered time. */
  readonly leastPerSecond: number
  /** Longest time between a frame and the nearest picture of the film, before the first one, after the last one, or in between. */
  readonly rim: number
}

/** Requirements for `standard`. */
export const filmLimits: FilmDensity = {
  /** Tolerates a phone with three pictures a second, and a hiccup. */
  gap: 1000,
  /** The page sends six, and a slow device manages three. */
  leastPerSecond: 2.5,
  rim: 500,
}

/**
 * Requirements for every film. [Note: A slow device is no forger] Pictures of the film are taken together with the
 * frames, from the same stream, so there is one near every frame, however slow the device is and whatever happened in
 * between.
 */
export const leastFilm: FilmDensity = { gap: Number.POSITIVE_INFINITY, leastPerSecond: 0.5, rim: 1500 }

/**
 * Minimum shares of pictures with a face, and of distinct ones among these.
 *
 * [Note: A film that shows nothing] A dark, grey or constant film is not a film. Both limits were set before they were
 * tested. Among 48 living people with 40 small pictures each, as the page sends them, the lowest share of faces is 85 %,
 * or 75 % in a dim room; at least 97 % of the pictures differ.
 */
const shownLimits = { faces: 0.5, different: 0.25 } as const

/**
 * Checks that a film covers the frames of each request from the first to the last, shows a person, and was not sent
 * before.
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
  const withFrames = requests.filter(({ frames: own }) => own.length > 0)
  const isThere = withFrames.length > 0 && withFrames.every((filmed) => isCovered(filmed, density))
  return (
    isThere &&
    isFilmPossible(trail, steps) &&
    !cameBefore(trail) &&
    showsSomebody(withFrames.flatMap((filmed) => aroundFrames(filmed, density)))
  )
}

/** Groups by request: the answer to each step in turn, and what followed the last one. */
export function byRequest<T extends Pick<TrailMoment, 'receivedAt'>>(
  came: readonly T[],
  steps: readonly Pick<StepRecord, 'answeredAt'>[],
): readonly (readonly T[])[] {
  const requests = Array.from({ length: steps.length + 1 }, (): T[] => [])
  for (const one of came) {
    const index = steps.findIndex(({ answeredAt }) => one.receivedAt <= answeredAt)
    requests[index < 0 ? steps.length : index]!.push(one)
  }
  return requests
}

/** From this share on of the pictures that were looked up, a film came before. */
const knownShare = 0.5

/**
 * True if a film was sent before, in another session or try. [Note: A film is taken once] No two of 2,770 small pictures
 * of 40 living people's clips, six a second, were identical, not even within one clip, so a few pictures suffice.
 */
function cameBefore(trail: readonly TrailPoint[]): boolean {
  const lookedUp = trail.flatMap(({ isKnown }) => isKnown ?? [])
  return lookedUp.length > 0 && lookedUp.filter(Boolean).length >= lookedUp.length * knownShare
}

function aroundFrames({ frames, film }: Filmed, { rim }: FilmDensity): readonly TrailPoint[] {
  return film.filter((point) => frames.some(({ time }) => Math.abs(point.time - time) <= rim))
}

/** True if these pictures show a face, and are not one picture repeated. */
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
