import { type TrailPoint, trailPointOf } from '#models/rules/liveness/evidence/trail.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import type { FilmMemory } from '#server/features/sessions/pictures/film-memory.ts'
import { digestOf } from '#server/features/sessions/pictures/picture-digest.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import { type TrailPicture, unreadableTrail } from '#server/platform/http/requests/pictures/trail.ts'
import { mapConcurrent } from '#shared/concurrency/map-concurrent.ts'
import { Problem } from '#shared/problem.ts'
import { drawFilmFaces, filmFacesOfRequest } from './film-faces.ts'
import { rulesOf } from './rules.ts'

type Session = Pick<SessionRecord, 'accountId' | 'settings' | 'kiosk'>

/** Analyses the film of a session; skips it if it is not needed. */
export type AnalyseFilm = (
  pictures: readonly TrailPicture[],
  session: Session,
  receivedAt: number,
) => Promise<TrailPoint[]>

/**
 * [Note: A film costs little] Of each small picture the server wants to know where the head is, how it stands and what is
 * around it: two small networks, no liveness. Only of a few, drawn at random, it wants an embedding. As many are looked at at once as there are workers.
 */
export function createAnalyseFilm(analysis: AnalysisService, films: Pick<FilmMemory, 'sketch'>): AnalyseFilm {
  async function analysePicture(
    { bytes, time }: TrailPicture,
    index: number,
    embedding: boolean,
    accountId: string,
    receivedAt: number,
  ) {
    const { signal } = new AbortController()
    const found = await analysis
      .analyse(bytes, { sceneSignature: true, ...(embedding && { embedding }) }, { accountId, signal })
      .catch((error) => {
        throw error instanceof Problem && error.code === 'unreadable_image' ? unreadableTrail(index) : error
      })
    const point = trailPointOf(found, { time, receivedAt })
    // [Note: Only pictures with a face] A covered camera films the same black at every visit.
    if (point.face === null) return point
    const sketch = found.sceneSignature && films.sketch(found.sceneSignature)
    return { ...point, digest: digestOf(bytes, found), ...(sketch && { sketch }) }
  }

  return async (pictures, session, receivedAt) => {
    if (!rulesOf(session.settings).liveness) return []
    const drawn = drawFilmFaces(pictures.length, filmFacesOfRequest(session))
    return mapConcurrent(pictures, analysis.parallel, (picture, index) =>
      analysePicture(picture, index, drawn.has(index), session.accountId, receivedAt),
    )
  }
}
