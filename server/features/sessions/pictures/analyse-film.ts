import { type TrailPoint, trailPointOf } from '#models/rules/liveness/evidence/trail.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import { rulesOf } from '#server/features/sessions/access/session-rules.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { type TrailPicture, unreadableTrail } from '#server/platform/http/requests/pictures/trail.ts'
import { mapConcurrent } from '#shared/concurrency/map-concurrent.ts'
import { Problem } from '#shared/problem.ts'
import type { EarlyCheck } from './analyse-frames.ts'
import { drawFilmFaces, filmFacesOfRequest } from './film-faces.ts'
import type { FilmMemory } from './film-memory.ts'
import { digestOf } from './picture-digest.ts'

type Session = Pick<SessionRecord, 'accountId' | 'settings' | 'kiosk'>

/** Analyses a session's film. */
export interface AnalyseFilm {
  /** True if the session needs a film. Any other session's film is ignored. */
  wants(session: Session): boolean
  /** Analyses one picture; `index` is its position in the request. @throws {Problem} 400 if it cannot be decoded */
  look(
    picture: TrailPicture,
    session: Session,
    receivedAt: number,
    index: number,
    options?: LookOptions,
  ): Promise<TrailPoint>
  /** Analyses the pictures, one per worker at a time. */
  judge(pictures: readonly TrailPicture[], session: Session, receivedAt: number): Promise<TrailPoint[]>
}

interface LookOptions {
  /** True if the picture was drawn at random: its face is compared with the person in the frames. */
  readonly embedding?: boolean
  readonly isEarly?: EarlyCheck
}

/**
 * [Note: A film costs little] For each small picture, two small networks find the head's position and pose and its surroundings, without a liveness
 * check. Only a few pictures, drawn at random, get an embedding. The number of pictures analysed at once equals the number of workers.
 */
export function createAnalyseFilm(analysis: AnalysisService, films: Pick<FilmMemory, 'sketch'>): AnalyseFilm {
  /** [Note: No picture is analysed twice] If a request's commit was lost, its retry brings the same pictures. */
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
    // [Note: Only pictures with a face] A covered camera records the same black film at every visit.
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
