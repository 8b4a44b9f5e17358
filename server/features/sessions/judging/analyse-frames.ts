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
 * Analyses a session's pictures on the server, one per worker in parallel. [Note: What was handed in is judged] Submitted
 * pictures are judged even if the page has disconnected; its retry, or the integrator, finds the result.
 */
export type AnalyseFrames = (
  pictures: readonly Picture[],
  session: Session,
  receivedAt: number,
) => Promise<Observation[]>

/** The result of one picture, besides the observation that is judged. */
interface Seen {
  readonly observation: Observation
  readonly sight: ReturnType<typeof sightOf>
  readonly analysis: Analysis
}

/** [Note: Age and gender are read at rest] They cost most and are least accurate while the head moves. */
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

  /**
   * [Note: Everybody in view is counted once] Counts faces of any size in the picture with the most faces, unless the
   * visit has a count already.
   */
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

/** [Note: Compared within a step] A kiosk's capture contains every step at once, and each turn has a separate straight look. */
function pairsByStep(seen: readonly Seen[]): (TurnedPair | undefined)[] {
  const pairs = seen.map((): TurnedPair | undefined => undefined)
  for (const step of new Set(seen.map(({ observation }) => observation.step))) {
    const places = seen.flatMap(({ observation }, at) => (observation.step === step ? [at] : []))
    const found = turnedPairs(places.map((at) => seen[at]!.sight))
    for (const [i, at] of places.entries()) pairs[at] = found[i]
  }
  return pairs
}

/** The picture with the most faces at first sight; among equals, the one with the clearest view of the person. */
function fullestOf(seen: readonly Seen[]): number {
  const rank = ({ analysis: { faces, others } }: Seen) =>
    faces.length + others.length + (faces[0]?.clarity.share ?? 0) / 2
  const ranks = seen.map(rank)
  return ranks.indexOf(Math.max(...ranks))
}
