import type { StepRecord } from '#models/rules/challenge/step.ts'
import type { Observation } from '#models/rules/observation.ts'
import { byRequest, type TrailPoint } from './trail.ts'

/** A film, and the frames that it was taken beside. */
export interface FilmedMovement {
  readonly trail: readonly TrailPoint[]
  readonly steps: readonly Pick<StepRecord, 'answeredAt'>[]
  readonly observations: readonly Observation[]
}

/** Milliseconds between a frame and a picture of the film that show the head at one time. */
const sameTime = 500

/** Degrees by which the heads of two frames of one request differ at least, if a film is to be held against them. */
const leastTurn = 11

/**
 * How much of the movement of the frames the film shows at least. `npm run bench -- film-person` counts living people and single pictures
 * with noise on either side.
 */
const leastShare = 0.35

/**
 * How far the head of the film moves as that of the frames does at the same times: 1 if as far, 0 if not at all, less if the other way; undefined
 * if the frames turn no head, or no picture of the film shows a face when they do.
 */
export function filmedShare({ trail, steps, observations }: FilmedMovement): number | undefined {
  const film = byRequest(trail, steps)
  const shares = byRequest(observations, steps).flatMap(
    (frames, request) => shareOf(frames, film[request]!) ?? [],
  )
  return shares.length === 0 ? undefined : Math.min(...shares)
}

/** True if the head of the film keeps still while that of the frames turns. */
export function isFilmStill(visit: FilmedMovement): boolean {
  const share = filmedShare(visit)
  return share !== undefined && share < leastShare
}

const axes = ['yaw', 'pitch'] as const

/** The share by the two frames of a request that are farthest apart. Where the film shows several pictures of a time, the one that shows more counts. */
function shareOf(frames: readonly Observation[], film: readonly TrailPoint[]): number | undefined {
  const filmed = frames.filter(({ face, time }) => face !== null && near(film, time).length > 0)
  const ways = axes.map((axis) => {
    const sorted = filmed.toSorted((a, b) => a.face!.pose[axis] - b.face!.pose[axis])
    const [low, high] = [sorted[0], sorted.at(-1)]
    const turned = low === undefined ? 0 : high!.face!.pose[axis] - low.face!.pose[axis]
    return { axis, low, high, turned }
  })
  const { axis, low, high, turned } = ways[0]!.turned >= ways[1]!.turned ? ways[0]! : ways[1]!
  if (turned < leastTurn) return undefined
  const poses = (time: number) => near(film, time).map(({ face }) => face!.pose[axis])
  return (Math.max(...poses(high!.time)) - Math.min(...poses(low!.time))) / turned
}

function near(film: readonly TrailPoint[], at: number): readonly TrailPoint[] {
  return film.filter(({ face, time }) => face !== null && Math.abs(time - at) <= sameTime)
}
