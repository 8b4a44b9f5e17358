import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { AnalyseFilm } from './analyse-film.ts'
import type { AnalyseFrames } from './analyse-frames.ts'
import type { BatchSubmission, Submission, SubmittedPictures } from './submission.ts'

/** Analyses the whole submission: the frames, starting with those sent early, and the entire film so far. */
export type AnalyseSubmission = (
  submission: Exclude<Submission, BatchSubmission>,
  record: SessionRecord,
  receivedAt: number,
) => Promise<{ readonly seen: Observation[]; readonly film: readonly TrailPoint[] }>

/**
 * Analyses a request's own pictures while its early ones are still being analysed. `AnalyseSubmission` then finds them done.
 * [Note: The last picture does not wait] Two pictures of one visit can be analysed at once, and a step often ends right after an early one.
 */
export type LookAhead = (
  pictures: SubmittedPictures,
  record: SessionRecord,
  receivedAt: number,
) => Promise<void>

export function createLookAhead(
  analyseFrames: Pick<AnalyseFrames, 'lookAtAll'>,
  analyseFilm: Pick<AnalyseFilm, 'judge'>,
): LookAhead {
  return async ({ pictures, trail }, record, receivedAt) => {
    if (record.test !== undefined) return
    await Promise.all([
      analyseFrames.lookAtAll(pictures, record, receivedAt),
      analyseFilm.judge(trail, record, receivedAt),
    ])
  }
}

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
