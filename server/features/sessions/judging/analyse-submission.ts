import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { Picture } from '#server/platform/http/requests/pictures/frames.ts'
import type { TrailPicture } from '#server/platform/http/requests/pictures/trail.ts'
import type { AnalyseFilm } from './analyse-film.ts'
import type { AnalyseFrames } from './analyse-frames.ts'

/** The parts of a request to analyse. */
export interface Submitted {
  readonly pictures: readonly Picture[]
  /** The new part of the film. */
  readonly trail: readonly TrailPicture[]
}

/** Analyses all of it; returns the observations of the frames, and of the whole film so far. */
export type AnalyseSubmission = (
  submitted: Submitted,
  record: SessionRecord,
  receivedAt: number,
) => Promise<{ readonly seen: Observation[]; readonly film: readonly TrailPoint[] }>

export function createAnalyseSubmission(
  analyseFrames: AnalyseFrames,
  analyseFilm: AnalyseFilm,
): AnalyseSubmission {
  return async ({ pictures, trail }, record, receivedAt) => {
    if (record.test !== undefined) return { seen: [], film: [] }
    const [seen, filmed] = await Promise.all([
      analyseFrames(pictures, record, receivedAt),
      analyseFilm(trail, record, receivedAt),
    ])
    return { seen, film: [...(record.trail ?? []), ...filmed] }
  }
}
