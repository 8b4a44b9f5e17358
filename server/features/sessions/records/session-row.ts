import { hash } from 'node:crypto'
import type { Visitor } from '#shared/contract/sessions/session-device.ts'
import type { SessionOutcomeName } from '#shared/contract/sessions/session-ending.ts'
import type { ListedSession, ReviewState } from '#shared/contract/sessions/session-list.ts'
import { doubtOf, reviewStateOf } from './doubt.ts'
import { knownOutcome, milestonesOf, type SessionVerdict, verdictOf } from './milestones.ts'
import type { SessionRecord } from './session-record.ts'

/** A session's changeable attributes that lists can filter or sort by. */
export interface SessionStanding extends SessionVerdict {
  readonly outcome: SessionOutcomeName
  readonly review: ReviewState | null
  /** The verdict's uncertainty, in hundredths. */
  readonly doubt: number
  /** How many milestones the visit has passed. */
  readonly came: number
  /** The assigned reviewer; null if it is assigned to no one. */
  readonly assignedTo: string | null
}

/** A session's data in a list. */
export interface SessionRow
  extends SessionVerdict,
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
  /** How many milestones the visit has passed; absent in older rows. */
  readonly came?: number
  readonly assignedTo?: string
}

export function standingOf(row: SessionRow): SessionStanding {
  const { state, result, reasons, came = 0, assignedTo = null } = row
  const outcome = knownOutcome(row)
  return {
    state,
    result,
    reasons,
    outcome,
    review: reviewStateOf(row),
    doubt: doubtOf(row),
    came,
    assignedTo,
  }
}

export function rowOf(record: SessionRecord): SessionRow {
  const { sessionId, verificationId, inputs, created, completedAt, kiosk, outcome } = record
  return {
    ...verdictOf(record),
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
    ...(record.assignedTo !== undefined && { assignedTo: record.assignedTo }),
  }
}

/** A row's device and browser; older rows have neither. */
export function visitorOf({ device, browser }: Partial<Visitor>): Partial<Visitor> {
  return { ...(device && { device }), ...(browser && { browser }) }
}

/** Replaces the session's ID in keys: a digest of the random ID. */
export function digestOfSession(sessionId: string): string {
  return hash('sha256', sessionId, 'base64url')
}
