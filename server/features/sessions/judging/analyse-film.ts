import { type TrailPoint, trailPointOf } from '#models/rules/liveness/evidence/trail.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import type { FilmMemory } from '#server/features/sessions/pictures/film-memory.ts'
import { digestOf } from '#server/features/sessions/pictures/picture-digest.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import { type TrailPicture, unreadableTrail } from '#server/platform/http/requests/pictures/trail.ts'
import { mapConcurrent } from '#shared/concurrency/map-concurrent.ts'
import { Problem } from '#shared/problem.ts'
import { rulesOf } from './rules.ts'

type Session = Pick<SessionRecord, 'accountId' | 'settings'>

/** Analyses the film of a session; skips it if it is not needed. */
export type AnalyseFilm = (
  pictures: readonly TrailPicture[],
  session: Session,
  receivedAt: number,
) => Promise<TrailPoint[]>

/**
 * [Note: A film costs little] For each small picture the server only needs position, pose and surroundings of the head:
 * two small networks, no liveness, no embedding. One picture per worker is analysed in parallel.
 */
export function createAnalyseFilm(analysis: AnalysisService, films: Pick<FilmMemory, 'sketch'>): AnalyseFilm {
  async function analysePicture(
    { bytes, time }: TrailPicture,
    index: number,
    accountId: string,
    receivedAt: number,
  ) {
    const { signal } = new AbortController()
    const found = await analysis
      .analyse(bytes, { sceneSignature: true }, { accountId, signal })
      .catch((error) => {
        throw error instanceof Problem && error.code === 'unreadable_image' ? unreadableTrail(index) : error
      })
    const point = trailPointOf(found, { time, receivedAt })
    // [Note: Only pictures with a face] A covered camera films the same black at every visit.
    if (point.face === null) return point
    const sketch = found.sceneSignature && films.sketch(found.sceneSignature)
    return { ...point, digest: digestOf(bytes, found), ...(sketch && { sketch }) }
  }

  return async (pictures, { accountId, settings }, receivedAt) => {
    if (!rulesOf(settings).liveness) return []
    return mapConcurrent(pictures, analysis.parallel, (picture, index) =>
      analysePicture(picture, index, accountId, receivedAt),
    )
  }
}
