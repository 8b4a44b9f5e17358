import type { StepRecord } from '#models/rules/challenge/step.ts'
import type { Observation } from '#models/rules/observation.ts'
import { byMoment, byRequest, type TrailPoint } from './trail.ts'

/** A film and the frames captured during the same time. */
export interface FilmedMovement {
  readonly trail: readonly TrailPoint[]
  readonly steps: readonly Pick<StepRecord, 'revealedAt' | 'answeredAt'>[]
  readonly observations: readonly Observation[]
}

/** A frame and a film picture are treated as simultaneous if they are at most this many milliseconds apart. */
const sameTime = 500

/** The minimum head turn between two frames of a request, in degrees, before the film is compared with it. */
const leastTurn = 11

/**
 * The minimum share of the frames' movement that the film must show. `npm run bench -- film-person` measures it for living people and for
 * single pictures with noise.
 */
const leastShare = 0.35

/**
 * How much of the head movement in the frames the film shows at the same times: 1 for all of it, 0 for none, negative for the opposite
 * direction. Undefined if the head does not turn in the frames, or if the film shows no face at those times.
 *
 * [Note: The film follows its frames] A step ends with the first frame that shows the action, so the film of a quick turn arrives with the next
 * request. If a step was begun again, what was filmed before it does not replace what was filmed after it.
 */
export function filmedShare({ trail, steps, observations }: FilmedMovement): number | undefined {
  const shares = [byRequest, byMoment].flatMap((grouped) => {
    const film = grouped(trail, steps)
    return grouped(observations, steps).flatMap((frames, group) => {
      const next = film.slice(group + 1).find(({ length }) => length > 0)
      return shareOf(frames, continued(film[group]!, frames, next)) ?? []
    })
  })
  return shares.length === 0 ? undefined : Math.min(...shares)
}

/**
 * A group's film, and the next group's if it was taken after all of this group's pictures: anything earlier could have been sent with them. The
 * camera's time begins again if it is opened again.
 */
function continued(
  film: readonly TrailPoint[],
  frames: readonly Observation[],
  next: readonly TrailPoint[] = [],
): readonly TrailPoint[] {
  const last = Math.max(...[...film, ...frames].map(({ time }) => time))
  return [...film, ...next.filter(({ time }) => time > last)]
}

/** True if the head stays still in the film while it turns in the frames. */
export function isFilmStill(visit: FilmedMovement): boolean {
  const share = filmedShare(visit)
  return share !== undefined && share < leastShare
}

const axes = ['yaw', 'pitch'] as const

/** Compares the request's two most different frames with the film. If there are several film pictures for a frame, the best match counts. */
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
