import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../console/operator-roles.ts'
import { flag, isoMoment, jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { change } from '../policies.ts'
import { limitOfPage, nextCursor } from './audit.ts'
import { accountEvents } from './event.ts'

/** The body of the event that is posted to `webhookConfig.eventCallbackUrl`. */
export const webhookEvent = v.object({
  event: v.pipe(
    v.literal('VerificationCompleted'),
    v.description('What has happened; the only event there is.'),
  ),
  verificationSessionId: text('The session that has ended.'),
})
export type WebhookEvent = v.InferOutput<typeof webhookEvent>

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

/** Why an attempt got no answer. */
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

export const delivery = v.object({
  deliveryId: text('The id of the delivery.'),
  webhookId: text('The `webhook-id` that every attempt carries, also of a delivery that was sent again.'),
  event: v.pipe(v.picklist(accountEvents), v.description('What has happened.')),
  endpointId: nullableText(
    'The endpoint of the account that it is for, or null for the address of a verification.',
  ),
  verificationSessionId: nullableText('The session that it happened to, or null.'),
  kioskId: nullableText('The kiosk that it happened to, or null.'),
  collectionId: nullableText('The collection that it happened to, or null.'),
  occurredAt: timestamp('When it happened.'),
  address: text('Where it is sent.'),
  created: timestamp('When the delivery was recorded.'),
  state: v.pipe(
    v.picklist(deliveryStates),
    v.description(
      '`delivered` after a 2xx answer, `failed` when it was given up, `pending` while it is tried.',
    ),
  ),
  test: flag('Whether it was sent to try the endpoint; then it is tried once.'),
  body: text('What is posted.'),
  resendOf: nullableText('The delivery that this one sends again, or null for the first.'),
  attempts: v.pipe(
    v.array(
      v.object({
        time: timestamp('When it was sent.'),
        status: v.pipe(
          v.nullable(v.pipe(v.number(), v.integer())),
          v.description('The HTTP status answered, or null.'),
        ),
        error: v.pipe(
          v.nullable(v.picklist(deliveryErrors)),
          v.description(
            'Why there was no answer, or null. `interrupted` where this server stopped meanwhile.',
          ),
        ),
      }),
    ),
    v.description('At most two to the address of a verification, seven to an endpoint of the account.'),
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
        v.description('The `nextCursor` of the page before.'),
      ),
    ),
    verificationSessionId: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1, 'Must not be empty.'),
        v.description('Only the deliveries of this session.'),
      ),
    ),
    state: v.optional(
      v.pipe(v.picklist(deliveryStates), v.description('Only the deliveries in this state.')),
    ),
    endpointId: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1, 'Must not be empty.'),
        v.description('Only the deliveries to this endpoint.'),
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
  result: v.object({ deliveryId: text('The new delivery; see get-deliveries for what becomes of it.') }),
  errors: [400, 401, 403, 404, 409],
  summary: 'Sends an event again.',
  description:
    'A new delivery is recorded and sent like any other, with its retries. 409 where its endpoint is gone or switched off. It carries the same `webhook-id`, so that a receiver knows the event again.',
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
    since: isoMoment('Only what was recorded at this time or later.'),
    endpointId: v.optional(
      v.pipe(deliveryId, v.description('Only what was for this endpoint; an unknown one has nothing.')),
    ),
  }),
  result: v.object({
    count: v.pipe(v.number(), v.integer(), v.description('How many deliveries are sent again.')),
  }),
  errors: [400, 401, 403],
  summary: 'Sends again what was given up.',
  description:
    'What is still being tried is not counted, nor what was sent again already and is being tried or has arrived, nor what was for an endpoint that is gone or switched off. Each carries the `webhook-id` that it had.',
  example: { body: { since: '2026-01-01T00:00:00Z' } },
  textVariant: true,
})

export const deliveryEndpoints = {
  getDeliveries,
  resendDelivery,
  resendFailed,
}
