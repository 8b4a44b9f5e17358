import {
  type EarlierVisit,
  type Resemblance,
  resemblancesOf,
} from '#models/rules/liveness/earlier/resemblance.ts'
import { type Visit, visitOf } from '#models/rules/liveness/earlier/visit.ts'
import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { Pack } from '#models/rules/packs.ts'
import { facesIn, portraitOf } from '#models/rules/portrait.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { SessionFaces } from '#server/features/sessions/records/session-faces.ts'
import {
  retentionInMilliseconds,
  type SessionRecord,
} from '#server/features/sessions/records/session-record.ts'
import type { VisitStore } from '#server/features/sessions/records/visit-store.ts'
import { type Clock, inPassing, type Store } from '#server/platform/store/store.ts'
import type { GuardedRecord } from '#server/platform/store/tables.ts'

/** The number of an account's latest visits to compare with. See docs/assurance.md for the cost. */
export const mostVisits = 256

/**
 * Stores this session's facts for later comparison and returns the account's earlier sessions that it resembles. Returns an
 * empty list if another request has changed the session since it was read.
 */
export type FindSimilarVisits = (
  session: GuardedRecord<SessionRecord>,
  observations: readonly Observation[],
) => Promise<readonly Resemblance[]>

interface Dependencies {
  readonly store: Store
  readonly visits: VisitStore
  readonly sessionFaces: Pick<SessionFaces, 'write'>
  readonly accounts: Pick<Accounts, 'find' | 'personDigest'>
  readonly pack: Pick<Pack, 'embeddingModel' | 'secondModel'>
  readonly now: Clock
}

/**
 * [Note: Remembered before it looks] If two sessions bring the same pictures at once, in any process, at least one finds the
 * other. The guard keeps out sessions that were erased in the meantime.
 */
export function createFindSimilarVisits({
  store,
  visits,
  sessionFaces,
  accounts,
  pack,
  now,
}: Dependencies): FindSimilarVisits {
  function faceOf(observations: readonly Observation[]): BoundFace | null {
    const portrait = portraitOf(facesIn(observations).frontal)
    const { embeddingModel, secondModel } = pack
    return portrait && { embedding: portrait, embeddingModel, ...(secondModel && { secondModel }) }
  }

  async function findPersonDigest({
    accountId,
    inputs: { externalId },
  }: SessionRecord): Promise<string | null> {
    const account = externalId === null ? undefined : await accounts.find(accountId)
    return account === undefined ? null : accounts.personDigest(account, externalId!)
  }

  /** [Note: The latest visits] An account stores only the visits that are compared, so each new visit evicts the oldest. */
  async function makeRoom(accountId: string, others: readonly EarlierVisit[]): Promise<void> {
    const over = others.toSorted((a, b) => b.at - a.at).slice(mostVisits - 1)
    if (over.length === 0) return
    await store.commit(
      over.map(({ sessionId }) => inPassing(visits.erase(accountId, sessionId))),
      [],
    )
  }

  return async ({ value: record, guard }, observations) => {
    const { accountId, sessionId, created } = record
    const visit = visitOf(observations, faceOf(observations))
    if (isEmpty(visit)) return []
    const own: EarlierVisit = { sessionId, at: now(), person: await findPersonDigest(record), visit }
    const left = Math.max(1, (created + retentionInMilliseconds - now()) / 1000)
    const { face } = visit
    const ofFace = face === null ? [] : [sessionFaces.write(accountId, { sessionId, created, face }, left)]
    if (!(await store.commit([visits.write(accountId, own, left), ...ofFace], [guard]))) return []
    const others = (await visits.list(accountId)).filter((other) => other.sessionId !== sessionId)
    await makeRoom(accountId, others)
    return resemblancesOf(own, others.toSorted((a, b) => b.at - a.at).slice(0, mostVisits - 1))
  }
}

function isEmpty({ scene, face }: Visit): boolean {
  return scene === null && face === null
}
