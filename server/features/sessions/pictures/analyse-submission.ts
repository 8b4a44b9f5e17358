import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { AnalyseFilm } from './analyse-film.ts'
import type { AnalyseFrames } from './analyse-frames.ts'
import type { FinalSubmission, StepSubmission } from './submission.ts'

/** Analyses the whole submission: the frames, starting with those sent early, and the entire film so far. */
export type AnalyseSubmission = (
  submission: StepSubmission | FinalSubmission,
  record: SessionRecord,
  receivedAt: number,
) => Promise<{ readonly seen: Observation[]; readonly film: readonly TrailPoint[] }>

export function createAnalyseSubmission(
  analyseFrames: AnalyseFrames,
  analyseFilm: AnalyseFilm,
): AnalyseSubmission {
  return async (submission, record, receivedAt) => {
    if (record.test !== undefined) return { seen: [], film: [] }
    const { pictures, trail } = submission
    const early = 'early' in submission ? submission.early : undefined
    const [seen, filmed] = await Promise.all([
      analyseFrames.judge(pictures, record, receivedAt, early?.frames),
      analyseFilm.judge(trail, record, receivedAt),
    ])
    return { seen, film: [...(record.trail ?? []), ...(early?.film ?? []), ...filmed] }
  }
}
