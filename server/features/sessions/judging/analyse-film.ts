import type { Analysis } from '#models/rules/analysis.ts'
import { type TrailPoint, trailPointOf } from '#models/rules/liveness/evidence/trail.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import type { FilmMemory } from '#server/features/sessions/pictures/film-memory.ts'
import { contentOf } from '#server/features/sessions/pictures/picture-content.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import { type TrailPicture, unreadableTrail } from '#server/platform/http/requests/pictures/trail.ts'
import { mapConcurrent } from '#shared/concurrency/map-concurrent.ts'
import { Problem } from '#shared/problem.ts'
import { rulesOf } from './rules.ts'

type Session = Pick<SessionRecord, 'sessionId' | 'accountId' | 'created' | 'tries' | 'settings'>

/** Looks at the thin film of a session; what is not wanted is not looked at. */
export type AnalyseFilm = (
  pictures: readonly TrailPicture[],
  session: Session,
  receivedAt: number,
) => Promise<TrailPoint[]>

/**
 * [Note: A film costs little] Of each small picture the server wants to know where the head is, how it stands and what is
 * around it: two small networks, no liveness, no embedding. As many are looked at at once as there are workers.
 */
export function createAnalyseFilm(analysis: AnalysisService, memory: Pick<FilmMemory, 'known'>): AnalyseFilm {
  async function analysePicture({ bytes }: TrailPicture, index: number, accountId: string) {
    const { signal } = new AbortController()
    return analysis.analyse(bytes, { sceneSignature: true }, { accountId, signal }).catch((error) => {
      throw error instanceof Problem && error.code === 'unreadable_image' ? unreadableTrail(index) : error
    })
  }

  /** [Note: Only pictures with a face] What a covered camera films is the same black at every visit. */
  async function knownOf(pictures: readonly TrailPicture[], seen: readonly Analysis[], session: Session) {
    const places = [...seen.keys()].filter((at) => seen[at]!.face !== undefined)
    const contents = places.map((at) => contentOf(pictures[at]!.bytes, seen[at]!))
    const known = await memory.known(session, contents)
    return new Map(places.map((at, i) => [at, known[i]]))
  }

  return async (pictures, session, receivedAt) => {
    if (!rulesOf(session.settings).liveness) return []
    const seen = await mapConcurrent(pictures, analysis.parallel, (picture, index) =>
      analysePicture(picture, index, session.accountId),
    )
    const known = await knownOf(pictures, seen, session)
    return seen.map((found, i) => {
      const point = trailPointOf(found, { time: pictures[i]!.time, receivedAt })
      const isKnown = known.get(i)
      return isKnown === undefined ? point : { ...point, isKnown }
    })
  }
}
