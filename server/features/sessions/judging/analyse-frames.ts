import type { Analysis, Wanted } from '#models/rules/analysis.ts'
import { sightOf, type TurnedPair, turnedPairs } from '#models/rules/liveness/evidence/turned-pairs.ts'
import type { Observation } from '#models/rules/observation.ts'
import { observe } from '#models/rules/observe.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import { digestOf } from '#server/features/sessions/pictures/picture-digest.ts'
import type { PictureMemory } from '#server/features/sessions/pictures/picture-memory.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import { type Picture, unreadableFrame } from '#server/platform/http/requests/pictures/frames.ts'
import { mapConcurrent } from '#shared/concurrency/map-concurrent.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import { Problem } from '#shared/problem.ts'
import { rulesOf, wantedOf } from './rules.ts'

type Session = Pick<SessionRecord, 'sessionId' | 'accountId' | 'created' | 'settings' | 'observations'>

/**
 * Looks at a session's pictures with the server's own analysis; as many at once as there are workers.
 * [Note: What was handed in is judged] also when the page is gone by then: its retry, or the integrator, finds the result.
 */
export type AnalyseFrames = (
  pictures: readonly Picture[],
  session: Session,
  receivedAt: number,
) => Promise<Observation[]>

/** What one picture showed, besides what it is judged by. */
interface Seen {
  readonly observation: Observation
  readonly sight: ReturnType<typeof sightOf>
  readonly analysis: Analysis
}

/** [Note: Age and gender are read at rest] They cost most and are worth least while the head moves. */
function atRestOnly({ step }: Picture, { demographic, ...wanted }: Wanted): Wanted {
  return step === 0 && demographic ? { ...wanted, demographic } : wanted
}

export function createAnalyseFrames(
  analysis: AnalysisService,
  memory: Pick<PictureMemory, 'reuseOf'>,
  allowedActions: readonly Action[],
): AnalyseFrames {
  async function analyseFrame(picture: Picture, index: number, session: Session, receivedAt: number) {
    const wanted = wantedOf(rulesOf(session.settings), allowedActions)
    const { accountId } = session
    const { signal } = new AbortController()
    const found = await analysis
      .analyse(picture.bytes, atRestOnly(picture, wanted), { accountId, signal })
      .catch((error) => {
        throw error instanceof Problem && error.code === 'unreadable_image' ? unreadableFrame(index) : error
      })
    const remembers = wanted.liveness !== undefined
    const reused = remembers ? await memory.reuseOf(session, picture.bytes, found) : 'none'
    const { step, time } = picture
    const digest = remembers ? digestOf(picture.bytes, found) : ''
    const observation = observe(found, { step, time, receivedAt, reused, digest })
    return { observation, sight: sightOf(found), analysis: found }
  }

  /** [Note: Everybody in view is counted once] Faces of any size in the fullest picture, of which the visit has none yet. */
  async function countIn(pictures: readonly Picture[], seen: readonly Seen[], session: Session) {
    if (session.observations.some(({ inView = 0 }) => inView > 0)) return {}
    const fullest = fullestOf(seen)
    const { accountId } = session
    const { signal } = new AbortController()
    const { faces, others } = await analysis.analyse(
      pictures[fullest]!.bytes,
      { group: true },
      { accountId, signal },
    )
    return { fullest, inView: faces.length + others.length }
  }

  return async (pictures, session, receivedAt) => {
    const seen = await mapConcurrent(pictures, analysis.parallel, (picture, index) =>
      analyseFrame(picture, index, session, receivedAt),
    )
    if (seen.length === 0) return []
    const { fullest, inView } = await countIn(pictures, seen, session)
    const pairs = pairsByStep(seen)
    return seen.map(({ observation }, i) => ({
      ...observation,
      ...(pairs[i] !== undefined && { turned: pairs[i] }),
      ...(i === fullest && { inView }),
    }))
  }
}

/** [Note: Compared within a step] A kiosk's capture brings every step at once, and each turn has a straight look of its own. */
function pairsByStep(seen: readonly Seen[]): (TurnedPair | undefined)[] {
  const pairs = seen.map((): TurnedPair | undefined => undefined)
  for (const step of new Set(seen.map(({ observation }) => observation.step))) {
    const places = seen.flatMap(({ observation }, at) => (observation.step === step ? [at] : []))
    const found = turnedPairs(places.map((at) => seen[at]!.sight))
    for (const [i, at] of places.entries()) pairs[at] = found[i]
  }
  return pairs
}

/** Where the most faces were seen at a first look; of those, where the person's own is the clearest. */
function fullestOf(seen: readonly Seen[]): number {
  const rank = ({ analysis: { faces, others } }: Seen) =>
    faces.length + others.length + (faces[0]?.clarity.share ?? 0) / 2
  const ranks = seen.map(rank)
  return ranks.indexOf(Math.max(...ranks))
}
