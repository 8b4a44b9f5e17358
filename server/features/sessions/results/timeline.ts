import { handoffOf } from '#server/features/sessions/access/holder.ts'
import type { EarlierTry, SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { SessionTimeline } from '#shared/contract/sessions/session-timeline.ts'

/** A session's events, for its review. */
export function timelineOf(
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
