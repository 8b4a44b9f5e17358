import { isUnjudged, type SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { Problem } from '#shared/problem.ts'

export function noSession(): Problem {
  return new Problem('not_found', 'The session does not exist.')
}

export function sessionExpired(): Problem {
  return new Problem('session_expired', 'The session was not submitted in time.')
}

/** @throws {Problem} if the session is over or overdue */
export function refuseEnded(record: SessionRecord, now: number): void {
  const { state } = record
  if (state === 'Expired') throw sessionExpired()
  if (state === 'Completed' || (state === 'Submitted' && !isUnjudged(record, now)))
    throw new Problem('session_closed', 'The session has already ended.')
}

export function busy(): Problem {
  return new Problem('overloaded', 'The session is being changed by another request. Try again.', {
    retryAfterInSeconds: 1,
  })
}
