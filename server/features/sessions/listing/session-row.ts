import { hash } from 'node:crypto'
import { type Judged, judgedOf, milestonesOf } from '#server/features/sessions/milestones.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { Visitor } from '#shared/contract/sessions/session-device.ts'
import type { ListedSession, ReviewState } from '#shared/contract/sessions/session-list.ts'
import { doubtOf, reviewStateOf } from './doubt.ts'

/** The attributes of a session that may change and can be filtered or sorted by. */
export interface Standing extends Judged {
  readonly review: ReviewState | null
  /** Uncertainty of its verdict, in hundredths. */
  readonly doubt: number
  /** Number of milestones that the visit has passed. */
  readonly came: number
}

/** The data of a session in a list. */
export interface SessionRow
  extends Judged,
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
    >,
    Partial<Visitor> {
  readonly sessionId: string
  readonly kioskId: string | null
  /** Milliseconds since 1970. */
  readonly created: number
  readonly completedAt: number | null
  /** Number of milestones that the visit has passed; absent in older rows. */
  readonly came?: number
}

export function standingOf(row: SessionRow): Standing {
  const { state, result, reasons, came = 0 } = row
  return { state, result, reasons, review: reviewStateOf(row), doubt: doubtOf(row), came }
}

export function rowOf(record: SessionRecord): SessionRow {
  const { sessionId, verificationId, inputs, created, completedAt, kiosk, outcome } = record
  return {
    ...judgedOf(record),
    sessionId,
    verificationId,
    externalId: inputs.externalId,
    correlationId: inputs.correlationId,
    source: record.source,
    ...record.visitor,
    kioskId: kiosk?.kioskId ?? null,
    assurance: outcome?.result.assurance ?? null,
    tries: record.tries,
    findings: outcome === null ? null : (outcome.result.findings ?? []),
    created,
    completedAt,
    review: record.review,
    came: milestonesOf(record).length,
  }
}

/** The device and browser in a row; older rows have none. */
export function visitorOf({ device, browser }: Partial<Visitor>): Partial<Visitor> {
  return { ...(device && { device }), ...(browser && { browser }) }
}

/** Replaces the id of a session in keys: a digest of the id, which is random. */
export function digestOfSession(sessionId: string): string {
  return hash('sha256', sessionId, 'base64url')
}
