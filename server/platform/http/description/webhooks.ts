import { accountEvent, accountEvents } from '#shared/contract/account/event.ts'
import { webhookEvent } from '#shared/contract/account/webhook.ts'
import { schemaOf } from './schemas.ts'

const headers = {
  'X-API-Key': "The account's primary API key, unless the account has switched it off.",
  'webhook-id': 'Id of the event; the same on the second attempt.',
  'webhook-timestamp': 'When the attempt was made, in seconds since 1970 (UTC).',
  'webhook-signature':
    'Standard Webhooks: `v1,` and Base64 of the HMAC-SHA-256 of id, timestamp and body, joined by full stops. Two signatures, separated by a space, while the secret is being rotated.',
}

const endpointHeaders = {
  'X-Selfsame-Environment': '`test` for events of a test account; absent otherwise.',
  'webhook-id': 'Id of the event; the same on every attempt.',
  'webhook-timestamp': headers['webhook-timestamp'],
  'webhook-signature': 'As for `verificationCompleted`, with the secret of the endpoint.',
}

const optional: readonly string[] = ['X-API-Key', 'X-Selfsame-Environment']

const described = (given: Readonly<Record<string, string>>) =>
  Object.entries(given).map(([name, description]) => ({
    name,
    in: 'header',
    required: !optional.includes(name),
    description,
    schema: { type: 'string' },
  }))

/** Webhook deliveries as receivers see them. */
export function describeWebhooks(tag: string) {
  const event = {
    post: {
      operationId: 'verificationCompleted',
      tags: [tag],
      summary: 'A session is finished, whatever the outcome.',
      description:
        'Posted to `webhookConfig.eventCallbackUrl`. Answer with a 2xx within 5 seconds, or the event is sent once more, so the same event may arrive twice. It names only the session; get-session-result returns the rest.',
      security: [],
      parameters: described({
        ...headers,
        'X-Selfsame-Environment': endpointHeaders['X-Selfsame-Environment'],
      }),
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(webhookEvent) } } },
      responses: {
        '2XX': { description: 'The event was accepted.' },
        '4XX': { description: 'The event was not accepted; it is sent once more.' },
        '5XX': { description: 'The event was not accepted; it is sent once more.' },
      },
    },
  }
  const ofAccount = {
    post: {
      operationId: 'accountEvent',
      tags: [tag],
      summary: 'Something happened to a session, a kiosk or a collection of the account.',
      description: `Posted to the endpoints of the account that subscribe to it: ${accountEvents.join(', ')}. Answer with a 2xx within 5 seconds, or it is sent again after 5 seconds, 5 minutes, 30 minutes, 2, 5 and 10 hours. The order is not guaranteed.`,
      security: [],
      parameters: described(endpointHeaders),
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(accountEvent) } } },
      responses: {
        '2XX': { description: 'The event was accepted.' },
        '4XX': { description: 'The event was not accepted; it is sent again.' },
        '5XX': { description: 'The event was not accepted; it is sent again.' },
      },
    },
  }
  return { VerificationCompleted: event, AccountEvent: ofAccount }
}
