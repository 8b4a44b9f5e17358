import { type TrailPoint, trailPointOf } from '#models/rules/liveness/evidence/trail.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import type { FilmMemory } from '#server/features/sessions/pictures/film-memory.ts'
import { digestOf } from '#server/features/sessions/pictures/picture-digest.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import { type TrailPicture, unreadableTrail } from '#server/platform/http/requests/pictures/trail.ts'
import { mapConcurrent } from '#shared/concurrency/map-concurrent.ts'
import { Problem } from '#shared/problem.ts'
import type { IsEarly } from './analyse-frames.ts'
import { drawFilmFaces, filmFacesOfRequest } from './film-faces.ts'
import { rulesOf } from './rules.ts'

type Session = Pick<SessionRecord, 'accountId' | 'settings' | 'kiosk'>

/** Analyses the film of a session. */
export interface AnalyseFilm {
  /** True if the session needs a film; the film of any other session is ignored. */
  wants(session: Session): boolean
  /** Analyses one picture; `index` is its place in the request. @throws {Problem} 400 if it cannot be decoded */
  look(
    picture: TrailPicture,
    session: Session,
    receivedAt: number,
    index: number,
    options?: LookOptions,
  ): Promise<TrailPoint>
  /** Analyses pictures, one for each worker at a time. */
  judge(pictures: readonly TrailPicture[], session: Session, receivedAt: number): Promise<TrailPoint[]>
}

interface LookOptions {
  /** True for a picture that was drawn: its face is compared with the person of the frames. */
  readonly embedding?: boolean
  readonly isEarly?: IsEarly
}

/**
 * [Note: A film costs little] Of each small picture the server wants to know where the head is, how it stands and what is
 * around it: two small networks, no liveness. Only of a few, drawn at random, it wants an embedding. As many are looked at at once as there are workers.
 */
export function createAnalyseFilm(analysis: AnalysisService, films: Pick<FilmMemory, 'sketch'>): AnalyseFilm {
  /** [Note: No picture is analysed twice] A request whose commit was lost comes again with the same pictures. */
  const looked = new WeakMap<TrailPicture, TrailPoint>()

  async function look(
    { bytes, time }: TrailPicture,
    { accountId }: Session,
    receivedAt: number,
    index: number,
    { embedding = false, isEarly }: LookOptions = {},
  ): Promise<TrailPoint> {
    const { signal } = new AbortController()
    const found = await analysis
      .analyse(
        bytes,
        { sceneSignature: true, ...(embedding && { embedding }) },
        { accountId, signal, ...(isEarly && { isEarly }) },
      )
      .catch((error) => {
        throw error instanceof Problem && error.code === 'unreadable_image' ? unreadableTrail(index) : error
      })
    const point = trailPointOf(found, { time, receivedAt })
    // [Note: Only pictures with a face] A covered camera films the same black at every visit.
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
      const drawn = drawFilmFaces(pictures.length, filmFacesOfRequest(session))
      return mapConcurrent(pictures, analysis.parallel, async (picture, index) => {
        const embedding = drawn.has(index)
        const point = looked.get(picture) ?? (await look(picture, session, receivedAt, index, { embedding }))
        looked.set(picture, point)
        return point
      })
    },
  }
}
