import * as v from 'valibot'
import { text, timestamp } from '../elements.ts'

/** Events of a session, as an account's endpoints get them. */
export const sessionEvents = [
  'VerificationStarted',
  'VerificationCompleted',
  'VerificationReviewed',
  'VerificationExpired',
] as const

/** Every event that an endpoint of an account may ask for. */
export const accountEvents = [...sessionEvents, 'PasskeyBound', 'KioskRevoked', 'CollectionFull'] as const
export type AccountEventName = (typeof accountEvents)[number]

const occurredAt = timestamp('When it happened.')

const test = v.optional(
  v.pipe(
    v.literal(true),
    v.description(
      'True of an event that was sent to try the endpoint: nothing has happened, and its ids name nothing. Absent of every other.',
    ),
  ),
)

/** The body of an event that is posted to an endpoint of the account. */
export const accountEvent = v.union([
  v.object({
    event: v.pipe(v.picklist(sessionEvents), v.description('What has happened.')),
    verificationSessionId: text('The session that it happened to.'),
    occurredAt,
    test,
  }),
  v.object({
    event: v.pipe(v.literal('PasskeyBound'), v.description('What has happened.')),
    verificationSessionId: text('The session after which the passkey was bound.'),
    externalId: text('The person whose passkey it is.'),
    occurredAt,
    test,
  }),
  v.object({
    event: v.pipe(v.literal('KioskRevoked'), v.description('What has happened.')),
    kioskId: text('The kiosk that was switched off.'),
    occurredAt,
    test,
  }),
  v.object({
    event: v.pipe(v.literal('CollectionFull'), v.description('What has happened.')),
    collectionId: text('The collection that takes no new face.'),
    occurredAt,
    test,
  }),
])
export type AccountEvent = v.InferOutput<typeof accountEvent>
