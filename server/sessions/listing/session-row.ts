import { hash } from 'node:crypto'
import type { SessionRecord, SessionState } from '#server/sessions/record.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'

/** What of a session may change, and can be filtered by. */
export interface Standing {
  readonly state: SessionState
  readonly result: 'Pass' | 'Fail' | null
  readonly reasons: readonly FailedReason[] | null
}

/** What a list tells of a session. */
export interface SessionRow
  extends Standing,
    Pick<
      ListedSession,
      | 'verificationId'
      | 'externalId'
      | 'correlationId'
      | 'source'
      | 'assurance'
      | 'tries'
      | 'findings'
      | 'review'
    > {
  readonly sessionId: string
  readonly kioskId: string | null
  /** Milliseconds since 1970. */
  readonly created: number
  readonly completedAt: number | null
}

export function standingOf({ state, outcome }: SessionRecord): Standing {
  const { verificationResult, verificationFailedReasons } = outcome?.result ?? {}
  return { state, result: verificationResult ?? null, reasons: verificationFailedReasons ?? null }
}

export function rowOf(record: SessionRecord): SessionRow {
  const { sessionId, verificationId, inputs, created, completedAt, kiosk, outcome } = record
  return {
    ...standingOf(record),
    sessionId,
    verificationId,
    externalId: inputs.externalId,
    correlationId: inputs.correlationId,
    source: record.source,
    kioskId: kiosk?.kioskId ?? null,
    assurance: outcome?.result.assurance ?? null,
    tries: record.tries,
    findings: outcome === null ? null : (outcome.result.findings ?? []),
    created,
    completedAt,
    review: record.review,
  }
}

/** What stands for a session where its id does not: a digest of the id, which is random. */
export function digestOfSession(sessionId: string): string {
  return hash('sha256', sessionId, 'base64url')
}
