import { median } from '#models/rules/median.ts'
import type { Moment } from './visit.ts'

/** Pieces of a film in which the head moves, which are looked for in another film. */
const piece = {
  milliseconds: 1500,
  fewestPictures: 5,
  /** Degrees: less of a movement is like any other one. */
  leastDegrees: 8,
  beginsEvery: 500,
  /** Spread over the film: so the comparison has an end. */
  most: 8,
} as const

/** Milliseconds: between pictures that are farther apart nobody knows what was there. */
const longestGap = 500

/** Milliseconds: a piece is laid against the other film at every such step. */
const laidEvery = 40

/** Fewer pieces do not tell. */
const fewestPieces = 2

/** How far a film is from another one. */
export interface FilmDistance {
  /** The way in which the head was turned and nodded: root mean square, as a share of the movement. */
  readonly poses: number
  /** The way of the face through the picture, and its size: root mean square, in widths of the face. */
  readonly trail: number
}

/**
 * Up to these it is the same movement on the same trail, see docs/liveness.md: half of what any living person's second take was
 * from the first one.
 */
export const sameFilmLimits: FilmDistance = { poses: 0.1, trail: 0.04 }

/** Whether `film` shows what `earlier` shows, whole or in pieces, in whatever order. */
export function isSameFilm(film: readonly Moment[], earlier: readonly Moment[]): boolean {
  const distance = filmDistance(film, earlier)
  return distance !== undefined && excessOf(distance) <= 1
}

/**
 * How far the pieces of `film` in which the head moves are from the most alike pieces of `earlier`: the median of them. Undefined
 * where too few move, or `earlier` is too short.
 */
export function filmDistance(film: readonly Moment[], earlier: readonly Moment[]): FilmDistance | undefined {
  const before = stretchesOf(earlier)
  const found = movingPieces(film).flatMap((moments) => closest(moments, before) ?? [])
  if (found.length < fewestPieces) return undefined
  return {
    poses: median(found.map(({ poses }) => poses))!,
    trail: median(found.map(({ trail }) => trail))!,
  }
}

/** The larger of both, each over its limit. */
export function excessOf({ poses, trail }: FilmDistance): number {
  return Math.max(poses / sameFilmLimits.poses, trail / sameFilmLimits.trail)
}

function stretchesOf(film: readonly Moment[]): Moment[][] {
  const stretches: Moment[][] = []
  for (const moment of film) {
    const last = stretches.at(-1)?.at(-1)
    const isNext = last !== undefined && moment.time > last.time && moment.time - last.time <= longestGap
    if (isNext) stretches.at(-1)!.push(moment)
    else stretches.push([moment])
  }
  return stretches
}

function movingPieces(film: readonly Moment[]): Moment[][] {
  const pieces = stretchesOf(film).flatMap(piecesOf)
  const every = Math.max(1, pieces.length / piece.most)
  return pieces.filter((_, i) => Math.floor(i / every) !== Math.floor((i - 1) / every))
}

function piecesOf(stretch: readonly Moment[]): Moment[][] {
  const pieces: Moment[][] = []
  const end = stretch.at(-1)!.time - piece.milliseconds
  let next = Number.NEGATIVE_INFINITY
  for (const [i, { time }] of stretch.entries()) {
    if (time < next || time > end) continue
    const moments = stretch.slice(i).filter((moment) => moment.time <= time + piece.milliseconds)
    if (moments.length < piece.fewestPictures || movementOf(moments) < piece.leastDegrees) continue
    pieces.push(moments)
    next = time + piece.beginsEvery
  }
  return pieces
}

/** Degrees between the two most different pictures. */
function movementOf(moments: readonly Moment[]): number {
  const range = (values: readonly number[]) => Math.max(...values) - Math.min(...values)
  return Math.max(range(moments.map(({ yaw }) => yaw)), range(moments.map(({ pitch }) => pitch)))
}

function closest(moments: readonly Moment[], stretches: readonly Moment[][]): FilmDistance | undefined {
  const begins = moments[0]!.time
  const length = moments.at(-1)!.time - begins
  const movement = movementOf(moments)
  let best: FilmDistance | undefined
  for (const stretch of stretches) {
    const last = stretch.at(-1)!.time - length
    for (let start = stretch[0]!.time; start <= last; start += laidEvery) {
      const distance = distanceAt({ moments, movement, later: start - begins }, stretch)
      if (best === undefined || excessOf(distance) < excessOf(best)) best = distance
    }
  }
  return best
}

interface Laid {
  readonly moments: readonly Moment[]
  readonly movement: number
  /** Milliseconds from the piece to where it is laid. */
  readonly later: number
}

/** Between two pictures of the other film its numbers are taken to change evenly. */
function distanceAt({ moments, movement, later }: Laid, film: readonly Moment[]): FilmDistance {
  let poses = 0
  let trail = 0
  let at = 0
  for (const moment of moments) {
    const time = moment.time + later
    while (at < film.length - 2 && film[at + 1]!.time < time) at++
    const a = film[at]!
    const b = film[at + 1] ?? a
    const share = a === b ? 0 : (time - a.time) / (b.time - a.time)
    const off = (signal: keyof Moment) => (a[signal] + (b[signal] - a[signal]) * share - moment[signal]) ** 2
    poses += off('yaw') + off('pitch') + off('roll')
    trail += (off('x') + off('y') + off('width')) / moment.width ** 2
  }
  const { length } = moments
  return { poses: Math.sqrt(poses / length) / movement, trail: Math.sqrt(trail / length) }
}
