import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import { matchScore } from '#models/rules/search-threshold.ts'
import { scoreOf } from '#models/rules/similarity.ts'
import { likenessOf, separated } from '#models/rules/templates.ts'
import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { ReadSession } from '#server/features/sessions/access/session-reader.ts'
import type { SessionFace, SessionFaces } from '#server/features/sessions/records/session-faces.ts'
import { loopTurns } from '#server/platform/running/loop-turns.ts'
import type { getSimilarSessions } from '#shared/contract/sessions/session-faces.ts'
import type { Handler } from '#shared/endpoint.ts'

interface Similar extends Pick<SessionFace, 'sessionId' | 'created'> {
  readonly score: number
}

/** Lists the account's sessions that show the same face as one session, newest first. */
export function createGetSimilarSessions(
  readSession: ReadSession,
  faces: Pick<SessionFaces, 'read' | 'list'>,
): Handler<typeof getSimilarSessions, AccountCaller> {
  async function similarTo(accountId: string, { sessionId, face }: SessionFace): Promise<Similar[]> {
    const found: Similar[] = []
    const scoreWith = scoringBy(face)
    for await (const other of faces.list(accountId)) {
      if (loopTurns.isOver()) await loopTurns.next()
      if (other.sessionId === sessionId) continue
      const score = scoreWith(other.face)
      if (score >= matchScore) found.push({ sessionId: other.sessionId, created: other.created, score })
    }
    return found.sort(newestFirst)
  }

  return async ({ query: { verificationSessionId: sessionId, limit, cursor }, caller: { accountId } }) => {
    await readSession({ accountId, sessionId })
    const own = await faces.read(accountId, sessionId)
    if (own === undefined) return { hasFace: false, sessions: [], cursor: null }
    const below = cursor === undefined ? undefined : placeFrom(cursor)
    const found = (await similarTo(accountId, own)).filter(
      (one) => below === undefined || newestFirst(below, one) < 0,
    )
    const page = found.slice(0, limit)
    const last = page.at(-1)
    return {
      hasFace: true,
      sessions: page.map((one) => ({
        verificationSessionId: one.sessionId,
        createdAt: new Date(one.created).toISOString(),
        similarity: Math.floor(one.score),
      })),
      cursor: found.length > limit && last !== undefined ? `${last.created}-${last.sessionId}` : null,
    }
  }
}

type Place = Pick<Similar, 'sessionId' | 'created'>

/** Follows the contract's pattern. */
function placeFrom(cursor: string): Place {
  const [, created, sessionId] = /^(\d+)-(.+)$/.exec(cursor)!
  return { created: Number(created), sessionId: sessionId! }
}

function newestFirst(a: Place, b: Place): number {
  return b.created - a.created || (a.sessionId < b.sessionId ? -1 : 1)
}

/** The template of the face that all others are compared with is computed once. */
function scoringBy(face: BoundFace): (other: BoundFace) => number {
  const own = separated(face.embedding, face)
  return (other) => {
    if (face.embeddingModel !== other.embeddingModel) return 0
    const { likeness, by } = likenessOf(own, separated(other.embedding, other), other)
    return scoreOf(likeness, by)
  }
}
