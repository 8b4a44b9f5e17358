import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { deviceFindingKinds } from '#shared/contract/sessions/session-passkey.ts'
import type { SessionResult } from '#shared/contract/sessions/session-result.ts'

type Findings = SessionResult['findings']

const kinds: ReadonlySet<unknown> = new Set(deviceFindingKinds)

/**
 * Findings about the devices that showed or bound a passkey, one of each kind. [Note: They name the session itself] The
 * session that bound the passkey has usually been deleted by then.
 */
export function deviceFindings({
  sessionId,
  passkey,
}: Pick<SessionRecord, 'sessionId' | 'passkey'>): Findings {
  const reasons = (passkey?.told ?? []).map(({ unattestedBecause }) => unattestedBecause)
  return deviceFindingKinds
    .filter((kind) => reasons.includes(kind))
    .map((kind) => ({ kind, verificationSessionId: sessionId }))
}

/** The session with up-to-date findings about its devices, because a passkey is bound after the result is decided. */
export function withDeviceFindings(record: SessionRecord): SessionRecord {
  const { outcome } = record
  if (outcome === null) return record
  const others = (outcome.result.findings ?? []).filter(({ kind }) => !kinds.has(kind))
  const findings = [...others, ...deviceFindings(record)]
  return { ...record, outcome: { ...outcome, result: { ...outcome.result, findings } } }
}
