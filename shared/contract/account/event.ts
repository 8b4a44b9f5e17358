import * as v from 'valibot'
import { text, timestamp } from '../elements.ts'
import { attentionEventKinds, attentionStates, attentionSubject } from './attention.ts'

/** The session events that an account's endpoints receive. */
export const sessionEvents = [
  'VerificationStarted',
  'VerificationCompleted',
  'VerificationReviewed',
  'VerificationExpired',
] as const

/** All events that an endpoint can subscribe to. */
export const accountEvents = [
  ...sessionEvents,
  'PasskeyBound',
  'KioskRevoked',
  'CollectionFull',
  'AttentionNeeded',
] as const
export type AccountEventName = (typeof accountEvents)[number]

const occurredAt = timestamp('When the event occurred.')

const attentionFact = {
  kind: v.pipe(
    v.picklist(attentionEventKinds),
    v.description('The condition; `many` replaces all further events of an hour.'),
  ),
  state: v.pipe(v.picklist(attentionStates), v.description('Whether it has begun or ended.')),
  subject: attentionSubject,
  since: timestamp('Since when the condition holds or held.'),
  help: text('Path of the page of the documentation that says what to do.'),
}
const attentionFacts = v.object(attentionFact)
export type AttentionFact = v.InferOutput<typeof attentionFacts>

const test = v.optional(
  v.pipe(
    v.literal(true),
    v.description(
      'True for a test event: nothing happened, and its ids refer to nothing. Absent from other events.',
    ),
  ),
)

/** The body of an event sent to one of the account's endpoints. */
export const accountEvent = v.union([
  v.object({
    event: v.pipe(v.picklist(sessionEvents), v.description('The event.')),
    verificationSessionId: text('The id of the session.'),
    occurredAt,
    test,
  }),
  v.object({
    event: v.pipe(v.literal('PasskeyBound'), v.description('The event.')),
    verificationSessionId: text('The session after which the passkey was bound.'),
    externalId: text('The person whose passkey it is.'),
    occurredAt,
    test,
  }),
  v.object({
    event: v.pipe(v.literal('KioskRevoked'), v.description('The event.')),
    kioskId: text('The kiosk that was revoked.'),
    occurredAt,
    test,
  }),
  v.object({
    event: v.pipe(v.literal('CollectionFull'), v.description('The event.')),
    collectionId: text('The collection that is full.'),
    occurredAt,
    test,
  }),
  v.object({
    event: v.pipe(v.literal('AttentionNeeded'), v.description('The event.')),
    ...attentionFact,
    occurredAt,
    test,
  }),
])
export type AccountEvent = v.InferOutput<typeof accountEvent>
