import { createHmac } from 'node:crypto'
import type { AuditEntry, auditFaults } from '#shared/contract/account/audit.ts'

/** What an account's log begins with. */
export const firstOperation = 'createAccount'

/** What happened, without what the log itself adds. */
export type AuditEvent = Pick<AuditEntry, 'operation' | 'actor' | 'resources' | 'outcome'>

/** What happened, and when; it has no place in the chain yet. */
export type WaitingEvent = AuditEvent & Pick<AuditEntry, 'time'>

/** The end of a log. */
export interface AuditHead {
  readonly sequence: number
  readonly hash: string
}

/** What an entry says was revoked. */
export interface Withdrawal {
  readonly kind: 'key' | 'kiosk'
  readonly id: string
  /** The sequence of the entry. */
  readonly at: number
}

export interface AuditVerdict {
  readonly valid: boolean
  readonly checked: number
  readonly fault: (typeof auditFaults)[number] | null
  readonly faultAt: number | null
  readonly head: AuditHead | null
}

/** The verdict on a chain, and what its entries say was revoked; all of it where the chain is whole. */
export interface ChainVerdict extends AuditVerdict {
  readonly withdrawals: readonly Withdrawal[]
}

/** Entries of events that follow a head, sealed together with all before them by the key of the log (hex). */
export function chained(
  accountId: string,
  key: string,
  head: AuditHead,
  events: readonly WaitingEvent[],
): AuditEntry[] {
  let { sequence, hash } = head
  return events.map((event) => {
    const entry = { sequence: ++sequence, ...event }
    hash = hashOf(accountId, key, hash, entry)
    return { ...entry, hash }
  })
}

/** Every part of an entry, in one order, with the hash of the one before. */
export function hashOf(
  accountId: string,
  key: string,
  before: string,
  entry: Omit<AuditEntry, 'hash'>,
): string {
  const { sequence, time, operation, actor, resources, outcome } = entry
  const named = Object.entries(resources).sort(([a], [b]) => (a < b ? -1 : 1))
  const { operator } = actor
  const person = operator === undefined ? [] : [operator.operatorId, operator.name]
  const who = [actor.kind, actor.keyId, actor.tokenId, ...person]
  const content = JSON.stringify([accountId, sequence, before, time, operation, who, named, outcome])
  return createHmac('sha256', Buffer.from(key, 'hex')).update(content).digest('base64url')
}

/** What an entry says was revoked: one key or kiosk, or nothing. */
export function withdrawalsOf({
  operation,
  outcome,
  resources,
  sequence: at,
}: AuditEvent & Pick<AuditEntry, 'sequence'>): Withdrawal[] {
  const { keyId, kioskId } = resources
  if (outcome !== 'succeeded') return []
  if (operation === 'revokeKey' && keyId !== undefined) return [{ kind: 'key', id: keyId, at }]
  if (operation === 'revokeKiosk' && kioskId !== undefined) return [{ kind: 'kiosk', id: kioskId, at }]
  return []
}

export function faulty(
  fault: AuditVerdict['fault'],
  faultAt: number | null,
  checked: number,
  head: AuditHead | null,
): ChainVerdict {
  return { valid: false, checked, fault, faultAt, head, withdrawals: [] }
}
