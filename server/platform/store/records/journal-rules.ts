import type { Put, Removal, Write } from '#server/platform/store/store.ts'
import { kindOf, type RecordKind } from './record-kinds.ts'

/**
 * `erasure`: a restore from an older backup removes the record again. `passing`: the record is removed as a step of some
 * work, and is restored with the rest of that work. `either`: passing if the caller marks it with `inPassing`, otherwise
 * an erasure.
 */
type RemovalMeaning = 'erasure' | 'passing' | 'either'

/**
 * [Note: Every kind declares the meaning of its removals] The compiler refuses a kind that is missing here. `erasure` is
 * the safe choice, and covers kinds that only ever expire, since an expiry is not a removal. Counts are `passing`: they
 * are never removed individually, and 0.2.0 noted each addition to a count as its removal.
 */
const removals: Readonly<Record<RecordKind, RemovalMeaning>> = {
  account: 'erasure',
  'account-by-purpose': 'erasure',
  'api-key': 'erasure',
  'api-key-by-digest': 'erasure',
  attempt: 'erasure',
  'attempt-suspicion': 'erasure',
  'attempt-try': 'erasure',
  attention: 'passing',
  'attention-confirmed': 'erasure',
  'attention-count': 'passing',
  'attention-limits': 'erasure',
  // Entries move from the store to segments, and from there to an archive.
  'audit-head': 'erasure',
  'audit-mover': 'passing',
  'audit-outbox': 'passing',
  'audit-salt': 'erasure',
  collection: 'erasure',
  'collection-erasure': 'passing',
  delivery: 'either',
  'delivery-by-day': 'either',
  'delivery-by-session': 'either',
  'denied-face': 'erasure',
  'earlier-visit': 'either',
  'endpoint-answer': 'passing',
  'endpoint-count': 'passing',
  // Backups do not contain the keys of evidence.
  evidence: 'passing',
  'evidence-lost': 'erasure',
  face: 'erasure',
  'face-by-external-id': 'either',
  // Names faces by random ids, for an hour.
  'face-change': 'passing',
  'film-picture': 'erasure',
  'full-collection': 'passing',
  handoff: 'passing',
  'intake-worker': 'passing',
  'kept-answer': 'either',
  'kept-answer-by-subject': 'erasure',
  kiosk: 'erasure',
  'kiosk-assertion': 'erasure',
  'kiosk-capture': 'erasure',
  'kiosk-owner': 'erasure',
  'kiosk-pairing': 'erasure',
  'kiosk-plan': 'erasure',
  'kiosk-plan-key': 'erasure',
  'kiosk-report': 'erasure',
  'kiosk-sealing-key': 'erasure',
  'kiosk-sequence': 'erasure',
  'left-behind': 'passing',
  logo: 'erasure',
  nonce: 'erasure',
  'open-session': 'passing',
  'openid-client': 'erasure',
  'openid-client-owner': 'erasure',
  'openid-entity': 'either',
  'openid-grant-member': 'erasure',
  'openid-interaction': 'erasure',
  'openid-key': 'erasure',
  'openid-named': 'erasure',
  'openid-subject': 'erasure',
  'openid-test-key': 'erasure',
  'openid-trial': 'erasure',
  'openid-visit': 'erasure',
  operator: 'erasure',
  'operator-ceremony': 'erasure',
  'operator-identity': 'erasure',
  // A restore ends all invitations and sign-ins itself.
  'operator-invitation': 'passing',
  'operator-passkey': 'erasure',
  'operator-sign-in': 'passing',
  'operator-team': 'erasure',
  'owner-notice': 'erasure',
  'owner-notice-seen': 'erasure',
  passkey: 'erasure',
  'passkey-face': 'erasure',
  'passkey-offer': 'either',
  'pending-delivery': 'passing',
  'person-session': 'erasure',
  picture: 'erasure',
  'picture-log': 'erasure',
  'picture-log-end': 'erasure',
  precedence: 'passing',
  'rate-share': 'passing',
  region: 'erasure',
  'request-log': 'passing',
  'review-agreement': 'passing',
  'review-count': 'passing',
  'root-key': 'erasure',
  'second-opinion': 'passing',
  session: 'erasure',
  'session-change': 'erasure',
  'session-class': 'passing',
  'session-count': 'passing',
  'session-face': 'erasure',
  'session-film': 'erasure',
  // Data about an open step becomes part of the session, or expires within minutes.
  'session-finding': 'passing',
  'session-intake': 'passing',
  'session-past': 'either',
  'session-picture': 'erasure',
  'session-row': 'erasure',
  'store-restore': 'erasure',
  'store-stamp': 'erasure',
  'token-key': 'erasure',
  verification: 'erasure',
  'verification-name': 'either',
  'verification-owner': 'erasure',
  'verification-version': 'either',
  'webhook-endpoint': 'erasure',
}

/**
 * Records that grant rights. A restore applies the last noted version, which shows the rights that were withdrawn.
 * `revoked`: noted once that member is set. `always`: noted at every write, since such a record does not show which right
 * it has lost.
 */
const withdrawals = {
  account: 'always',
  'api-key': 'revoked',
  kiosk: 'revoked',
  'openid-client': 'always',
  'operator-team': 'always',
  'webhook-endpoint': 'always',
} as const satisfies Partial<Record<RecordKind, 'revoked' | 'always'>>

/** A kind that is noted when its records withdraw a right. */
export type WithdrawalKind = keyof typeof withdrawals

/** Decides if a write is noted, so that a restore repeats it. */
export function isNoted(write: Write): write is Put | Removal {
  switch (write.kind) {
    case 'put':
      return isWithdrawal(write)
    case 'remove':
      return isErasure(write.key) && !(write.isPassing === true && meaningOf(write.key) === 'either')
    case 'append':
    case 'add':
      return false
  }
}

/** The kind of a noted record that withdraws a right; undefined for kinds that a restore does not repeat. */
export function withdrawalKindOf(key: string): WithdrawalKind | undefined {
  const kind = kindOf(key)
  return Object.hasOwn(withdrawals, kind) ? (kind as WithdrawalKind) : undefined
}

/** Decides if a restore repeats the removal of this record. Journals of 0.2.0 also contain removals in passing and additions to counts. */
export function isErasure(key: string): boolean {
  return meaningOf(key) !== 'passing'
}

function meaningOf(key: string): RemovalMeaning {
  const kind = kindOf(key)
  return Object.hasOwn(removals, kind) ? removals[kind as RecordKind] : 'erasure'
}

function isWithdrawal({ key, value }: Put): boolean {
  const kind = withdrawalKindOf(key)
  if (kind === undefined) return false
  const member = withdrawals[kind]
  return member === 'always' || (JSON.parse(Buffer.from(value).toString()).value[member] ?? null) !== null
}
