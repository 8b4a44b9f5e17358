import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders, buildersAgain } from '../../operator-roles.ts'
import { webAddress } from '../configuration/verification-config.ts'
import { flag, jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { change } from '../policies.ts'
import { accountEvents } from './event.ts'
import { deliveryAttempt } from './webhook.ts'

/** The maximum number of endpoints per account. */
export const mostEndpoints = 10
const descriptionMaximum = 200

const admin = { auth: 'key', scope: 'admin' } as const

const url = webAddress('The address that receives the events: https, or http on loopback.')

const events = v.pipe(
  v.array(v.pipe(v.picklist(accountEvents), v.description('An event.'))),
  v.minLength(1, 'Must name at least one event.'),
  v.description('Events that are sent to the endpoint. Duplicates are ignored.'),
)

const description = v.pipe(
  v.string(),
  v.maxLength(descriptionMaximum, `Must have at most ${descriptionMaximum} characters.`),
  v.description('The purpose of the endpoint.'),
)

const endpointId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The id of an endpoint.'),
)

const nullableTime = (meaning: string) =>
  v.pipe(v.nullable(v.string()), v.description(meaning), v.metadata({ format: 'date-time' }))

/** An endpoint as seen by its account's admin, without the secret. */
export const webhookEndpoint = v.object({
  endpointId: text('The id of the endpoint.'),
  url: text('The address that receives the events.'),
  events: v.pipe(v.array(v.picklist(accountEvents)), v.description('Events that are sent to the endpoint.')),
  description: nullableText('The purpose of the endpoint, or null.'),
  created: timestamp('When the endpoint was created.'),
  enabled: flag('True if events are sent to the endpoint.'),
  failingSince: nullableTime('When the first attempt failed since the last success, or null.'),
  lastAnswer: v.pipe(
    v.nullable(deliveryAttempt),
    v.description('The last attempt of the last 7 days, test events apart; null if there was none.'),
  ),
  lastHour: v.pipe(
    v.object({
      attempts: v.pipe(v.number(), v.integer(), v.description('Number of attempts.')),
      taken: v.pipe(v.number(), v.integer(), v.description('How many were answered with a 2xx.')),
    }),
    v.description('Attempts of the last hour, in steps of 5 minutes.'),
  ),
  switchedOff: nullableTime(
    'When the endpoint was disabled, by you or after 5 days without success; null if it is enabled.',
  ),
})

export const createWebhookEndpoint = endpoint({
  ...admin,
  method: 'POST',
  path: '/v1/webhook/create-endpoint',
  console: buildersAgain,
  ...change,
  idempotency: { redactedOnReplay: ['secret'] },
  leadsTo: 'resultElsewhere',
  body: jsonObject({ url, events, description: v.optional(description) }),
  result: v.object({
    endpointId: text('The id of the endpoint.'),
    secret: text(
      'The secret that signs its events, in the format of Standard Webhooks: `whsec_` and the key in Base64. It is shown only once.',
    ),
  }),
  errors: [400, 401, 403, 409],
  summary: 'Creates an endpoint that receives events of the account.',
  description: `An account has at most ${mostEndpoints} endpoints; one more is a 409, \`limit_reached\`. Events carry no API key. An event that is not answered with a 2xx within 5 seconds is sent again after 5 seconds, 5 minutes, 30 minutes, 2, 5 and 10 hours.`,
  example: { body: { url: 'https://shop.example/events', events: ['VerificationCompleted'] } },
  textVariant: true,
})

export const getWebhookEndpoints = endpoint({
  ...admin,
  method: 'GET',
  path: '/v1/webhook/get-endpoints',
  console: builders,
  result: v.object({
    endpoints: v.pipe(v.array(webhookEndpoint), v.description('The endpoints, oldest first.')),
  }),
  errors: [401, 403],
  summary: 'Lists the endpoints of the account, without their secrets.',
  example: {},
  textVariant: true,
})

export const updateWebhookEndpoint = endpoint({
  ...admin,
  method: 'PUT',
  path: '/v1/webhook/update-endpoint',
  console: buildersAgain,
  ...change,
  leadsTo: { consequence: 'resultElsewhere', ifSent: 'url' },
  body: jsonObject({
    endpointId,
    url: v.optional(url),
    events: v.optional(events),
    description: v.optional(v.nullable(description)),
    enabled: v.optional(flag('False disables the endpoint; true enables it again.')),
  }),
  result: v.object({ endpoint: v.pipe(webhookEndpoint, v.description('The endpoint after the change.')) }),
  errors: [400, 401, 403, 404],
  summary: 'Changes, disables or enables an endpoint.',
  description: 'Absent members stay unchanged. Pending events are sent to the new address.',
  example: { body: { endpointId: 'b4a0e0a2-6f5b-4d0e-9a57-0c1f6f2f7f10', enabled: true } },
  textVariant: true,
})

export const sendTestEvent = endpoint({
  ...admin,
  method: 'POST',
  path: '/v1/webhook/send-test-event',
  console: builders,
  ...change,
  body: jsonObject({
    endpointId,
    event: v.optional(
      v.pipe(
        v.picklist(accountEvents),
        v.description(
          'The event to send, even if the endpoint is not subscribed to it; VerificationCompleted by default.',
        ),
      ),
      'VerificationCompleted',
    ),
  }),
  result: v.object({ deliveryId: text('The id of the delivery; see get-deliveries.') }),
  errors: [400, 401, 403, 404, 409],
  summary: 'Sends a test event to an endpoint.',
  description:
    'The event is signed like any other, carries `test: true` and ids that refer to nothing, and is sent once. It does not affect the state of the endpoint. 409 if the endpoint is disabled.',
  example: { body: { endpointId: 'b4a0e0a2-6f5b-4d0e-9a57-0c1f6f2f7f10', event: 'VerificationCompleted' } },
  textVariant: true,
})

export const deleteWebhookEndpoint = endpoint({
  ...admin,
  method: 'DELETE',
  path: '/v1/webhook/delete-endpoint',
  console: buildersAgain,
  ...change,
  query: v.object({ endpointId }),
  result: v.object({}),
  errors: [400, 401, 403, 404],
  summary: 'Deletes an endpoint and discards its pending events.',
  example: { query: { endpointId: 'b4a0e0a2-6f5b-4d0e-9a57-0c1f6f2f7f10' } },
  textVariant: true,
})

export const webhookReceiverEndpoints = {
  createWebhookEndpoint,
  getWebhookEndpoints,
  sendTestEvent,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
}
