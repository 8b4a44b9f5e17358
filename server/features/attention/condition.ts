import type { AttentionCondition, AttentionKind } from '#shared/contract/account/attention.ts'
import { attentionKinds } from '#shared/contract/account/attention.ts'

/** A condition that holds now. */
export interface Condition {
  readonly kind: AttentionKind
  readonly subject: AttentionCondition['subject']
  /** Milliseconds since 1970. */
  readonly since: number
}

/** The page of the documentation for each condition, and for a flood of events. */
export const helpFor: Readonly<Record<AttentionKind | 'many', string>> = {
  endpointFailing: 'docs/integrate.md',
  storeFull: 'docs/operate.md',
  verificationWeakened: 'docs/accounts.md',
  kioskUnseen: 'docs/kiosk.md',
  collectionOutgrown: 'docs/faces.md',
  reviewsWaiting: 'docs/accounts.md',
  many: 'docs/integrate.md',
}

/** Identifies a condition among those of its account. */
export function keyOf({ kind, subject }: Pick<Condition, 'kind' | 'subject'>): string {
  return `${kind}/${subject.id}`
}

/** Sorts the worst first, and the oldest first among equals. */
export function worstFirst(a: Condition, b: Condition): number {
  return attentionKinds.indexOf(a.kind) - attentionKinds.indexOf(b.kind) || a.since - b.since
}

export function reportedCondition({ kind, subject, since }: Condition): AttentionCondition {
  return { kind, subject, since: new Date(since).toISOString(), help: helpFor[kind] }
}
