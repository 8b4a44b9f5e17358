import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../../operator-roles.ts'
import { flag, isoMoment, jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { limitOfPage, nextCursor } from '../paging.ts'
import { change } from '../policies.ts'
import { accountEvents } from './event.ts'

/** The body of the event that is posted to `webhookConfig.eventCallbackUrl`. */
export const webhookEvent = v.object({
  event: v.pipe(v.literal('VerificationCompleted'), v.description('The event. There is only this one.')),
  verificationSessionId: text('The session that has ended.'),
})
export type WebhookEvent = v.InferOutput<typeof webhookEvent>

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

/** Why an attempt did not get an answer. */
export const deliveryErrors = [
  'timeout',
  'addressNotAllowed',
  'nameNotFound',
  'connectionRefused',
  'certificate',
  'connectionFailed',
  'interrupted',
] as const
export type DeliveryError = (typeof deliveryErrors)[number]

const deliveryId = v.pipe(v.string(), v.minLength(1, 'Must not be empty.'))

/** One attempt at sending an event. */
export const deliveryAttempt = v.object({
  time: timestamp('When the attempt was sent.'),
  status: v.pipe(
    v.nullable(v.pipe(v.number(), v.integer())),
    v.description('The HTTP status of the answer, or null.'),
  ),
  error: v.pipe(
    v.nullable(v.picklist(deliveryErrors)),
    v.description(
      'Why there was no answer, or null. `interrupted` if the server stopped during the attempt.',
    ),
  ),
})

export const delivery = v.object({
  deliveryId: text('The id of the delivery.'),
  webhookId: text('The `webhook-id` of every attempt; a resent delivery keeps it.'),
  event: v.pipe(v.picklist(accountEvents), v.description('The event.')),
  endpointId: nullableText('The endpoint that receives it, or null for the address of a verification.'),
  verificationSessionId: nullableText('The session of the event, or null.'),
  kioskId: nullableText('The kiosk of the event, or null.'),
  collectionId: nullableText('The collection of the event, or null.'),
  occurredAt: timestamp('When the event occurred.'),
  address: text('The address that receives it.'),
  created: timestamp('When the delivery was recorded.'),
  state: v.pipe(
    v.picklist(deliveryStates),
    v.description('`delivered` after a 2xx answer, `failed` after the last attempt, `pending` until then.'),
  ),
  test: flag('True for a test event, which is sent once.'),
  body: text('The body that is posted.'),
  resendOf: nullableText('The delivery that this one repeats, or null for the first.'),
  attempts: v.pipe(
    v.array(deliveryAttempt),
    v.description(
      'Attempts: at most two for the address of a verification, seven for an endpoint of the account.',
    ),
  ),
})

export const getDeliveries = endpoint({
  auth: 'key',
  scope: 'admin',
  method: 'GET',
  path: '/v1/webhook/get-deliveries',
  console: builders,
  query: v.object({
    limit: limitOfPage,
    cursor: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,15}\.[0-9a-f-]{36}$/, 'Must be a nextCursor returned by this list.'),
        v.description('The `nextCursor` of the previous page.'),
      ),
    ),
    verificationSessionId: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1, 'Must not be empty.'),
        v.description('Only deliveries of this session.'),
      ),
    ),
    state: v.optional(v.pipe(v.picklist(deliveryStates), v.description('Only deliveries in this state.'))),
    endpointId: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1, 'Must not be empty.'),
        v.description('Only deliveries to this endpoint.'),
      ),
    ),
  }),
  result: v.object({
    deliveries: v.pipe(v.array(delivery), v.description('The deliveries, newest first.')),
    nextCursor,
  }),
  errors: [400, 401, 403],
  summary: 'Lists the webhook deliveries of the last 7 days, newest first.',
  example: { query: { limit: 20 } },
  textVariant: true,
})

export const resendDelivery = endpoint({
  auth: 'key',
  scope: 'admin',
  method: 'POST',
  path: '/v1/webhook/resend',
  console: builders,
  ...change,
  body: v.object({
    deliveryId: v.pipe(deliveryId, v.description('The delivery to send again.')),
  }),
  result: v.object({ deliveryId: text('The id of the new delivery; see get-deliveries.') }),
  errors: [400, 401, 403, 404, 409],
  summary: 'Sends an event again.',
  description:
    'Creates a new delivery that is sent like any other, with retries. It keeps the `webhook-id`, so that receivers can recognise the event. 409 if its endpoint was deleted or disabled.',
  example: { body: { deliveryId: 'b4a0e0a2-6f5b-4d0e-9a57-0c1f6f2f7f10' } },
  textVariant: true,
})

export const resendFailed = endpoint({
  auth: 'key',
  scope: 'admin',
  method: 'POST',
  path: '/v1/webhook/resend-failed',
  console: builders,
  ...change,
  body: jsonObject({
    since: isoMoment('Only deliveries created at or after this time.'),
    endpointId: v.optional(
      v.pipe(deliveryId, v.description('Only deliveries to this endpoint; an unknown id matches nothing.')),
    ),
  }),
  result: v.object({
    count: v.pipe(v.number(), v.integer(), v.description('Number of deliveries that are sent again.')),
  }),
  errors: [400, 401, 403],
  summary: 'Sends failed deliveries again.',
  description:
    'Excludes pending deliveries, those that were already sent again and are pending or delivered, and those whose endpoint was deleted or disabled. Each keeps its `webhook-id`.',
  example: { body: { since: '2026-01-01T00:00:00Z' } },
  textVariant: true,
})

export const deliveryEndpoints = {
  getDeliveries,
  resendDelivery,
  resendFailed,
}
