import { nextStepOf } from '#models/rules/challenge/progress.ts'
import { actionsPerformed } from '#models/rules/challenge/step.ts'
import type { SessionCaller } from '#server/features/callers/callers.ts'
import { capturePlanOf } from '#server/features/sessions/access/appearance.ts'
import { handoffOf, isHeldBy, mayLearn, wayBackOf } from '#server/features/sessions/access/holder.ts'
import type { ReadSession } from '#server/features/sessions/access/session-reader.ts'
import { visitorIn } from '#server/features/sessions/access/visitor.ts'
import { attemptsLeftAfter } from '#server/features/sessions/judging/further-try.ts'
import { isUnjudged, type SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { getSession } from '#shared/contract/sessions/session.ts'
import type { Handler } from '#shared/endpoint.ts'
import type { Region } from '#shared/hosts.ts'

/**
 * The session as its own page sees it. [Note: What a visit is made with] Device and browser are recorded on the page's first
 * request, because a session may be opened through the API without a browser. This is skipped if another request changes
 * the session in the meantime.
 */
export function createGetSession(
  readSession: ReadSession,
  sessions: Pick<SessionStore, 'replace'>,
  region: Region,
  now: Clock,
): Handler<typeof getSession, SessionCaller> {
  return async ({ caller }) => {
    const read = await readSession(caller)
    const { value: record } = read
    const { device } = caller
    const seen = visitorIn(caller)
    if (record.state === 'Created' && record.visitor === undefined && seen.visitor !== undefined)
      await sessions.replace(read, { ...record, ...seen })
    return {
      state: isUnjudged(record, now()) ? 'Started' : record.state,
      capturePlan: capturePlanOf(record, region),
      expirationUtcTime: new Date(record.expiresAt).toISOString(),
      ...(isHeldBy(record, device)
        ? { current: currentStep(record, now), soFar: soFarOf(record) }
        : { current: null }),
      ...triesOf(record),
      redirectUrl: wayBackOf(record, device),
      verificationResult: mayLearn(record, device)
        ? (record.outcome?.result.verificationResult ?? null)
        : null,
      handoff: handoffAsSeen(record, device),
    }
  }
}

/** Empty before the first further try. */
function triesOf(record: SessionRecord) {
  if (record.before === undefined) return {}
  return { try: record.tries + 1, retry: { attemptsLeft: attemptsLeftAfter(record, record.tries) } }
}

/** Null if the session never left its device. A device that lost the session is informed. */
function handoffAsSeen(record: SessionRecord, device: number) {
  const { taken, number } = handoffOf(record)
  const isHeldHere = isHeldBy(record, device)
  if (taken === 0) return null
  const { actionsDone } = soFarOf(record)
  return { isHeldHere, number: mayLearn(record, device) ? number : null, actionsDone }
}

/** How much of the limits is used up, so that a reloaded page can continue from there. */
function soFarOf({ progress, frameCount, trail = [] }: SessionRecord) {
  return { actionsDone: actionsPerformed(progress.answered), frames: frameCount, trail: trail.length }
}

function currentStep({ progress: { open } }: SessionRecord, now: Clock) {
  if (open === null) return null
  return open.action === null
    ? { step: open.step, action: null, timeLimitInSeconds: null }
    : nextStepOf(open, now())
}
