import { createHmac } from 'node:crypto'
import type { AuditEntry, auditFaults } from '#shared/contract/account/audit.ts'

/** The first operation in an account's log. */
export const firstOperation = 'createAccount'

/** An event without the members that the log adds. */
export type AuditEvent = Pick<AuditEntry, 'operation' | 'actor' | 'resources' | 'outcome'>

/** An event with its time, before it has a place in the chain. */
export type WaitingEvent = AuditEvent & Pick<AuditEntry, 'time'>

/** The end of a log. */
export interface AuditHead {
  readonly sequence: number
  readonly hash: string
}

/** A revocation that an entry records. */
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

/** The verdict on a chain, and the revocations that its entries record; complete only if the chain is. */
export interface ChainVerdict extends AuditVerdict {
  readonly withdrawals: readonly Withdrawal[]
}

/** Turns events after a head into entries, each sealed together with its predecessor by the key of the log (hex). */
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

/** All parts of an entry in a fixed order, with the previous hash. */
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

/** The revocation that an entry records: one key or kiosk, or none. */
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
