import { type TrailPoint, trailPointOf } from '#models/rules/liveness/evidence/trail.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import type { FilmMemory } from '#server/features/sessions/pictures/film-memory.ts'
import { digestOf } from '#server/features/sessions/pictures/picture-digest.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import { type TrailPicture, unreadableTrail } from '#server/platform/http/requests/pictures/trail.ts'
import { mapConcurrent } from '#shared/concurrency/map-concurrent.ts'
import { Problem } from '#shared/problem.ts'
import type { IsEarly } from './analyse-frames.ts'
import { rulesOf } from './rules.ts'

type Session = Pick<SessionRecord, 'accountId' | 'settings'>

/** Looks at the thin film of a session. */
export interface AnalyseFilm {
  /** Says if the session needs a film; the film of any other session is ignored. */
  wants(session: Session): boolean
  /** Analyses one picture; `index` is its place in the request. @throws {Problem} 400 if it cannot be decoded */
  look(
    picture: TrailPicture,
    session: Session,
    receivedAt: number,
    index: number,
    isEarly?: IsEarly,
  ): Promise<TrailPoint>
  /** Analyses pictures, one for each worker at a time. */
  judge(pictures: readonly TrailPicture[], session: Session, receivedAt: number): Promise<TrailPoint[]>
}

/**
 * [Note: A film costs little] Of each small picture the server wants to know where the head is, how it stands and what is
 * around it: two small networks, no liveness, no embedding. As many are looked at at once as there are workers.
 */
export function createAnalyseFilm(analysis: AnalysisService, films: Pick<FilmMemory, 'sketch'>): AnalyseFilm {
  /** [Note: No picture is analysed twice] A request whose commit was lost comes again with the same pictures. */
  const looked = new WeakMap<TrailPicture, TrailPoint>()

  async function look(
    { bytes, time }: TrailPicture,
    { accountId }: Session,
    receivedAt: number,
    index: number,
    isEarly?: IsEarly,
  ): Promise<TrailPoint> {
    const { signal } = new AbortController()
    const found = await analysis
      .analyse(bytes, { sceneSignature: true }, { accountId, signal, ...(isEarly && { isEarly }) })
      .catch((error) => {
        throw error instanceof Problem && error.code === 'unreadable_image' ? unreadableTrail(index) : error
      })
    const point = trailPointOf(found, { time, receivedAt })
    // [Note: Only pictures with a face] What a covered camera films is the same black at every visit.
    if (point.face === null) return point
    const sketch = found.sceneSignature && films.sketch(found.sceneSignature)
    return { ...point, digest: digestOf(bytes, found), ...(sketch && { sketch }) }
  }

  const wants = ({ settings }: Session) => rulesOf(settings).liveness
  return {
    wants,
    look,
    async judge(pictures, session, receivedAt) {
      if (!wants(session)) return []
      return mapConcurrent(pictures, analysis.parallel, async (picture, index) => {
        const point = looked.get(picture) ?? (await look(picture, session, receivedAt, index))
        looked.set(picture, point)
        return point
      })
    },
  }
}
