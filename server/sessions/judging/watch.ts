import { createHash } from 'node:crypto'
import type { Wanted } from '#models/rules/analysis.ts'
import { sightOf, turnedPairs } from '#models/rules/liveness/evidence/turned-pairs.ts'
import type { Observation } from '#models/rules/observation.ts'
import { observe } from '#models/rules/observe.ts'
import type { AnalysisService } from '#server/analysis/analysis-service.ts'
import { type Picture, unreadableFrame } from '#server/sessions/pictures/frames.ts'
import type { PictureMemory } from '#server/sessions/pictures/picture-memory.ts'
import type { SessionRecord } from '#server/sessions/record.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import { inLanes } from '#shared/in-lanes.ts'
import { Problem } from '#shared/problem.ts'
import { rulesOf, wantedOf } from './rules.ts'

type Session = Pick<SessionRecord, 'sessionId' | 'accountId' | 'created' | 'settings'>

/**
 * Looks at a session's pictures with the server's own analysis; as many at once as there are workers.
 * [Note: What was handed in is judged] also when the page is gone by then: its retry, or the integrator, finds the result.
 */
export type Watch = (
  pictures: readonly Picture[],
  session: Session,
  receivedAt: number,
) => Promise<Observation[]>

/** [Note: Age and gender are read at rest] They cost most and are worth least while the head moves. */
function atRestOnly({ step }: Picture, { demographic, ...wanted }: Wanted): Wanted {
  return step === 0 && demographic ? { ...wanted, demographic } : wanted
}

export function createWatch(
  analysis: AnalysisService,
  memory: Pick<PictureMemory, 'reuseOf'>,
  allowedActions: readonly Action[],
): Watch {
  async function look(picture: Picture, index: number, session: Session, receivedAt: number) {
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
    const digest = remembers ? digestOf(picture.bytes) : ''
    const observation = observe(found, { step, time, receivedAt, reused, digest })
    return { observation, sight: sightOf(found) }
  }

  return async (pictures, session, receivedAt) => {
    const seen = await inLanes(pictures, analysis.parallel, (picture, index) =>
      look(picture, index, session, receivedAt),
    )
    const pairs = turnedPairs(seen.map(({ sight }) => sight))
    return seen.map(({ observation }, i) =>
      pairs[i] === undefined ? observation : { ...observation, turned: pairs[i] },
    )
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
}
