import type { Analysis, Box, FaceAnalysis, Pose } from '#models/rules/analysis.ts'
import type { StepRecord } from '#models/rules/challenge/step.ts'
import { rimOf } from '#models/rules/liveness/scene-signature.ts'
import type { Observation } from '#models/rules/observation.ts'
import { isFilmPossible } from './film-time.ts'

/** The server's analysis of a small picture from the film, without the picture itself. */
export interface TrailPoint {
  /** Milliseconds since the camera started, as reported by the device; only a hint. */
  readonly time: number
  /** The server's clock, milliseconds since 1970. */
  readonly receivedAt: number
  /** The whole picture's luminance, 0...255. */
  readonly luminance: number
  readonly face: FilmedFace | null
  /** The picture's rim as integers. See scene-signature.ts. */
  readonly place: readonly number[]
  /** Identifies the picture if it is sent again. Absent if it shows no face. */
  readonly digest?: string
  /** Identifies the film even if it was re-encoded. Absent if the picture shows no face, and in films recorded by 0.2.0. */
  readonly sketch?: string
  /** True if the same picture was already sent in another session or try. Absent if this was not checked. */
  readonly isKnown?: boolean
}

/** The face in a picture from the film. */
export interface FilmedFace {
  /** In shares of the picture's width and height, because small pictures are compared with full-size frames. */
  readonly box: Box
  readonly pose: Pose
  /** A unit embedding rounded to three decimals. Only present in pictures that the server sampled, and only if the face is large enough. */
  readonly embedding?: readonly number[]
}

/** The smallest face in a film that can still be compared, as its width in pixels. */
const leastFaceInPixels = 16

/** When a picture from the film was taken and when it arrived. */
export type TrailMoment = Pick<TrailPoint, 'time' | 'receivedAt'>

/** The numbers stored for a picture from the film: about sixty, plus an embedding if one was requested. */
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

/** Converts a box to shares of the picture's width and height. */
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

/** The parts of a visit that its film has to cover. */
export interface FilmedVisit {
  readonly steps: readonly Pick<StepRecord, 'revealedAt' | 'answeredAt'>[]
  readonly observations: readonly Pick<Observation, 'time' | 'receivedAt'>[]
  /** When the visit began. Defaults to when its first step was revealed. A visit without a challenge answers no step. */
  readonly openedAt?: number | undefined
}

/** How dense a film has to be. In milliseconds, except `leastPerSecond`. */
export interface FilmDensity {
  /** The longest gap between two pictures. */
  readonly gap: number
  /** The number of pictures per second of covered time. */
  readonly leastPerSecond: number
  /** The longest time between a frame and the nearest picture in the film, whether it is before the first one, after the last one or in between. */
  readonly rim: number
}

/** The requirements for `standard`. */
export const filmLimits: FilmDensity = {
  /** Allows for a phone that takes three pictures per second and hiccups once. */
  gap: 1000,
  /** The page sends six, and a slow device still manages three. */
  leastPerSecond: 2.5,
  rim: 500,
}

/**
 * The requirements for every film. [Note: A slow device is no forger] The film's pictures come from the same stream as the frames, so there is
 * one close to every frame, however slow the device is and whatever happens in between.
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
 * Checks that a film covers each request's frames from the first to the last, shows a person, and was not sent before.
 *
 * [Note: A film belongs to its request] The film's pictures are close to the frames of the same request. The device's times only show the
 * order of the pictures and the gaps between them. There may be pauses between two requests, because the network is slow, the page was put
 * in the background, or the camera was restarted.
 */
export function isTrailComplete(
  trail: readonly TrailPoint[],
  { steps, observations, openedAt = steps[0]?.revealedAt }: FilmedVisit,
  density: FilmDensity = filmLimits,
): boolean {
  const film = byMoment(trail, steps)
  const moments = byMoment(observations, steps).map((frames, moment) => ({ frames, film: film[moment]! }))
  const withFrames = moments.filter(({ frames: own }) => own.length > 0)
  const isThere = withFrames.length > 0 && withFrames.every((filmed) => isCovered(filmed, density))
  return (
    isThere &&
    isFilmPossible(trail, openedAt) &&
    !cameBefore(trail) &&
    showsSomebody(withFrames.flatMap((filmed) => aroundFrames(filmed, density)))
  )
}

/** Groups pictures by request: one group for the answer to each step, and one for everything after the last step. */
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

/**
 * Does the same, with two groups for each request: before its step was begun again, and after. [Note: A pause within a step] People may ask for
 * more time, and so does a page whose network is gone. If pictures were handed in before that, the pause is one between two requests, which is not
 * filmed.
 */
export function byMoment<T extends Pick<TrailMoment, 'receivedAt'>>(
  came: readonly T[],
  steps: readonly Pick<StepRecord, 'revealedAt' | 'answeredAt'>[],
): readonly (readonly T[])[] {
  return byRequest(came, steps).flatMap((own, request) => {
    const begunAt = steps[request]?.revealedAt ?? 0
    return [
      own.filter(({ receivedAt }) => receivedAt <= begunAt),
      own.filter(({ receivedAt }) => receivedAt > begunAt),
    ]
  })
}

/** If at least this share of the pictures that were looked up is known, the film was sent before. */
const knownShare = 0.5

/**
 * True if a film was sent before, in another session or try. [Note: A film is taken once] Among 2,770 small pictures from clips of 40 living people,
 * taken six times per second, no two were identical, not even within the same clip. A few matching pictures are therefore enough.
 */
function cameBefore(trail: readonly TrailPoint[]): boolean {
  const lookedUp = trail.flatMap(({ isKnown }) => isKnown ?? [])
  return lookedUp.length > 0 && lookedUp.filter(Boolean).length >= lookedUp.length * knownShare
}

function aroundFrames({ frames, film }: FilmedMoments, { rim }: FilmDensity): readonly TrailPoint[] {
  return film.filter((point) => frames.some(({ time }) => Math.abs(point.time - time) <= rim))
}

/** True if these pictures show a face and are not the same picture repeated. */
function showsSomebody(film: readonly TrailPoint[]): boolean {
  const shown = film.flatMap(({ face, luminance, place }) =>
    face === null ? [] : JSON.stringify([face, luminance, place]),
  )
  const { faces, different } = shownLimits
  return shown.length >= film.length * faces && new Set(shown).size >= shown.length * different
}

interface FilmedMoments {
  readonly frames: readonly TrailMoment[]
  readonly film: readonly TrailPoint[]
}

function isCovered({ frames, film }: FilmedMoments, { gap, leastPerSecond, rim }: FilmDensity): boolean {
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
