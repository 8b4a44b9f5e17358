import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { ReadSession } from '#server/features/sessions/access.ts'
import { denyCollectionsOf } from '#server/features/sessions/denied/deny-face.ts'
import type { EvidenceRecords } from '#server/features/sessions/evidence/evidence-records.ts'
import { evidenceOf } from '#server/features/sessions/evidence/evidence-state.ts'
import { handoffOf } from '#server/features/sessions/handoff/holding.ts'
import type { EarlierTry, SessionRecord } from '#server/features/sessions/record.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Events } from '#server/features/webhooks/webhooks.ts'
import type { getSessionTimeline, SessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import type { Handler } from '#shared/endpoint.ts'
import { measuredOf } from './measured.ts'

interface Dependencies {
  readonly readSession: ReadSession
  readonly verifications: Pick<Verifications, 'find'>
  readonly evidence: Pick<EvidenceRecords, 'read' | 'isLost'>
  readonly events: Pick<Events, 'receivers'>
}

/** A session's events, for its review. */
export function createGetSessionTimeline(
  services: Dependencies,
): Handler<typeof getSessionTimeline, AccountCaller> {
  const { readSession, evidence, events } = services
  return async ({ query, caller: { accountId } }) => {
    const { value } = await readSession({ accountId, sessionId: query.verificationSessionId })
    return {
      ...timelineOf(value),
      evidence: await evidenceOf(value, evidence),
      measured: measuredOf(value),
      onReview: { endpoints: await events.receivers(accountId, 'VerificationReviewed') },
      denyCollectionIds: await denyCollectionsOf(services, value),
    }
  }
}

function timelineOf(
  record: SessionRecord,
): Omit<SessionTimeline, 'evidence' | 'measured' | 'onReview' | 'denyCollectionIds'> {
  const { sessionId, state, created, expiresAt, reached, reachedAt = {}, consent } = record
  const { progress, earlierTries = [], tries, completedAt } = record
  const { verifiers } = record.settings
  return {
    verificationSessionId: sessionId,
    state,
    openedAt: iso(created),
    expiresAt: iso(expiresAt),
    reached: [...reached],
    reachedAt: {
      consented: timeOf(reachedAt.consented),
      firstPicture: timeOf(reachedAt.firstPicture),
      submitted: timeOf(reachedAt.submitted),
    },
    consent,
    asked: {
      liveness: verifiers.liveness?.type ?? 'Disabled',
      age: verifiers.age?.type ?? 'Disabled',
      faceRecognition: verifiers.faceRecognition?.type ?? 'Disabled',
      gender: verifiers.gender?.type ?? 'Disabled',
      reference: verifiers.reference?.type ?? 'Disabled',
    },
    steps: [...earlierTries.map(({ steps }) => steps), progress.answered].flatMap((steps, before) =>
      steps.map((step) => stepOf(step, before + 1)),
    ),
    triesBegunAt: earlierTries.map(({ followedAt }) => iso(followedAt)),
    tries,
    devicesTaken: handoffOf(record).taken,
    endedAt: completedAt === null ? null : iso(completedAt),
  }
}

function stepOf(
  { step, action, revealedAt, answeredAt, accepted, reason }: EarlierTry['steps'][number],
  attempt: number,
): SessionTimeline['steps'][number] {
  const [askedAt, cameAt] = [iso(revealedAt), iso(answeredAt)]
  return { try: attempt, step, action, askedAt, answeredAt: cameAt, accepted, outcome: reason }
}

function timeOf(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : iso(milliseconds)
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
