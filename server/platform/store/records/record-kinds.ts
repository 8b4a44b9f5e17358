import { accountOf01, collectionOf01, deliveryOf01, nonceOf01 } from './former-records.ts'

/** Makes a record as it is read today of one that was written before. */
type Reader = (value: never) => unknown

/** How the records of a kind are read, by the schema that they carry. */
export type Readers = Readonly<Record<number, Reader>>

const unchanged: Reader = (value) => value
const schema1: Readers = { 1: unchanged }

/**
 * Every kind of record that was ever written as JSON, with a reader for each of its schemas. [Note: Every schema has a reader or a refusal] Whoever
 * changes what stands under a kind adds a reader here and a store of the program before to tests/support/stores; a schema without a
 * reader is refused before anything is written.
 */
const readersByKind: Readonly<Record<string, Readers>> = {
  account: { 1: accountOf01 },
  // 0.1.0 wrote 2. The same stood under 1 afterwards, where before 0.1.0 a random revision had stood.
  collection: { 1: collectionOf01, 2: unchanged },
  delivery: { 1: deliveryOf01 },
  nonce: { 1: nonceOf01 },
}

/** Kinds whose records stand as JSON of schema 1, as they always did. */
const plainKinds = [
  'account-by-purpose',
  'api-key',
  'api-key-by-digest',
  'attempt',
  'attempt-suspicion',
  'attempt-try',
  'audit-entry',
  'audit-head',
  'audit-mover',
  'audit-salt',
  'collection-erasure',
  'delivery-by-day',
  'delivery-by-session',
  'earlier-visit',
  'evidence',
  'evidence-lost',
  'face-by-external-id',
  'face-change',
  'film-picture',
  'full-collection',
  'handoff',
  'kept-answer',
  'kept-answer-by-subject',
  'kiosk',
  'kiosk-assertion',
  'kiosk-capture',
  'kiosk-owner',
  'kiosk-pairing',
  'kiosk-plan',
  'kiosk-plan-key',
  'kiosk-report',
  'kiosk-sealing-key',
  'kiosk-sequence',
  'logo',
  'open-session',
  'openid-client',
  'openid-client-owner',
  'openid-entity',
  'openid-grant-member',
  'openid-interaction',
  'openid-key',
  'openid-named',
  'openid-subject',
  'openid-test-key',
  'openid-trial',
  'openid-visit',
  'operator',
  'operator-ceremony',
  'operator-identity',
  'operator-invitation',
  'operator-passkey',
  'operator-sign-in',
  'operator-team',
  'owner-notice',
  'owner-notice-seen',
  'passkey',
  'passkey-face',
  'passkey-offer',
  'pending-delivery',
  'person-session',
  'picture',
  'picture-log',
  'picture-log-end',
  'precedence',
  'rate-share',
  'region',
  'request-log',
  'root-key',
  'session',
  'session-film',
  'session-picture',
  'store-restore',
  'store-stamp',
  'token-key',
  'verification',
  'verification-name',
  'verification-owner',
  'verification-version',
  'webhook-endpoint',
]

/** Kinds that have a form of their own: bytes, rows that seal themselves, counts. */
export const kindsOfOwnForm = [
  'face',
  'session-row',
  'session-change',
  'session-past',
  'session-class',
  'session-count',
  'audit-outbox',
  'left-behind',
] as const

/** The readers of a kind; undefined where it is none of ours, or not of JSON. */
export function knownReaders(kind: string): Readers | undefined {
  return Object.hasOwn(readersByKind, kind)
    ? readersByKind[kind]
    : plainKinds.includes(kind)
      ? schema1
      : undefined
}

/** The readers of records of JSON, also of a kind that is not listed. */
export function readersOf(kind: string): Readers {
  return knownReaders(kind) ?? schema1
}

/** Every kind and schema that can be read, for the tests that hold them against stores of former programs. */
export const readableSchemas: Readonly<Record<string, readonly number[]>> = Object.fromEntries(
  [...Object.keys(readersByKind), ...plainKinds].map((kind) => [
    kind,
    Object.keys(readersOf(kind)).map(Number),
  ]),
)

/** What a key says of its record. */
export function kindOf(key: string): string {
  const end = key.indexOf('/')
  return end < 0 ? key : key.slice(0, end)
}
