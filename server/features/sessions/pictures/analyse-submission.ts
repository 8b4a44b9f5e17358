import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { HandedIn } from '#server/features/sessions/early-pictures/early-pictures.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { Picture } from '#server/platform/http/requests/pictures/frames.ts'
import type { TrailPicture } from '#server/platform/http/requests/pictures/trail.ts'
import type { AnalyseFilm } from './analyse-film.ts'
import type { AnalyseFrames } from './analyse-frames.ts'

/** The parts of a request that need analysis. */
export interface Submitted {
  readonly pictures: readonly Picture[]
  /** The newly submitted part of the film. */
  readonly trail: readonly TrailPicture[]
  /** Earlier pictures that have already been analysed; defaults to none. */
  readonly handedIn?: Pick<HandedIn, 'frames' | 'film'>
}

/** Analyses the whole submission: the frames, starting with those sent early, and the entire film so far. */
export type AnalyseSubmission = (
  submitted: Submitted,
  record: SessionRecord,
  receivedAt: number,
) => Promise<{ readonly seen: Observation[]; readonly film: readonly TrailPoint[] }>

export function createAnalyseSubmission(
  analyseFrames: AnalyseFrames,
  analyseFilm: AnalyseFilm,
): AnalyseSubmission {
  return async ({ pictures, trail, handedIn }, record, receivedAt) => {
    if (record.test !== undefined) return { seen: [], film: [] }
    const [seen, filmed] = await Promise.all([
      analyseFrames.judge(pictures, record, receivedAt, handedIn?.frames),
      analyseFilm.judge(trail, record, receivedAt),
    ])
    return { seen, film: [...(record.trail ?? []), ...(handedIn?.film ?? []), ...filmed] }
  }
}
