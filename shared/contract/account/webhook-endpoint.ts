import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { webAddress } from '../configuration/verification-config.ts'
import { builders, buildersAgain } from '../console/operator-roles.ts'
import { flag, jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { change } from '../policies.ts'
import { accountEvents } from './event.ts'

/** How many endpoints an account may have. */
export const mostEndpoints = 10
const descriptionMaximum = 200

const admin = { auth: 'key', scope: 'admin' } as const

const url = webAddress('Where events are posted: https, or http on loopback.')

const events = v.pipe(
  v.array(v.pipe(v.picklist(accountEvents), v.description('An event.'))),
  v.minLength(1, 'Must name at least one event.'),
  v.description('Which events are posted there; one that is named twice is posted once.'),
)

const description = v.pipe(
  v.string(),
  v.maxLength(descriptionMaximum, `Must have at most ${descriptionMaximum} characters.`),
  v.description('What the endpoint is for.'),
)

const endpointId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The id of an endpoint.'),
)

const nullableTime = (meaning: string) =>
  v.pipe(v.nullable(v.string()), v.description(meaning), v.metadata({ format: 'date-time' }))

/** An endpoint as its account's admin sees it: without its secret. */
export const webhookEndpoint = v.object({
  endpointId: text('The id of the endpoint.'),
  url: text('Where events are posted.'),
  events: v.pipe(v.array(v.picklist(accountEvents)), v.description('Which events are posted there.')),
  description: nullableText('What the endpoint is for, or null.'),
  created: timestamp('When it was made.'),
  enabled: flag('Whether events are posted there.'),
  failingSince: nullableTime('When the first try failed since the last success, or null.'),
  switchedOff: nullableTime('When it was switched off, by you or after 5 days without success, or null.'),
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
      'What its events are signed with, as Standard Webhooks write it: `whsec_` and the Base64 of the key. It is shown here and never again.',
    ),
  }),
  errors: [400, 401, 403, 409],
  summary: 'Makes an endpoint that gets events of the account.',
  description: `An account has at most ${mostEndpoints} endpoints; one more is a 409, \`limit_reached\`. Events carry no API key. What is not answered with a 2xx within 5 seconds is sent again after 5 seconds, 5 minutes, 30 minutes, 2, 5 and 10 hours.`,
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
    enabled: v.optional(flag('False switches the endpoint off; true switches it on again.')),
  }),
  result: v.object({ endpoint: v.pipe(webhookEndpoint, v.description('The endpoint, as it is now.')) }),
  errors: [400, 401, 403, 404],
  summary: 'Changes an endpoint, or switches it on or off.',
  description: 'What is absent stays as it is. What still waits to be sent goes to the new address.',
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
          'Which event, also one that the endpoint does not ask for; VerificationCompleted when absent.',
        ),
      ),
      'VerificationCompleted',
    ),
  }),
  result: v.object({ deliveryId: text('The delivery, which get-deliveries tells of.') }),
  errors: [400, 401, 403, 404, 409],
  summary: 'Sends an event to an endpoint to try it.',
  description:
    'It is signed as every other, carries `test: true` and ids that name nothing, and is sent once. It counts neither for nor against the endpoint. 409 where the endpoint is switched off.',
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
  summary: 'Deletes an endpoint; what still waits to be sent there is given up.',
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
