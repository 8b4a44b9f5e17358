import { accountEvent, accountEvents } from '#shared/contract/account/event.ts'
import { webhookEvent } from '#shared/contract/account/webhook.ts'
import { schemaOf } from './schemas.ts'

const headers = {
  'X-API-Key': "The account's primary API key, unless the account has switched it off.",
  'webhook-id': 'Names the event; the same for its second attempt.',
  'webhook-timestamp': 'When the attempt was made, in seconds since 1970 (UTC).',
  'webhook-signature':
    'Standard Webhooks: `v1,` and Base64 of the HMAC-SHA-256 of id, timestamp and body, with a full stop between. Two of them, with a space between, while the secret is being exchanged.',
}

const endpointHeaders = {
  'X-Selfsame-Environment': '`test` for what a test account did; absent else.',
  'webhook-id': 'Names the event; the same for all its tries.',
  'webhook-timestamp': headers['webhook-timestamp'],
  'webhook-signature': 'As for `verificationCompleted`, by the secret of the endpoint.',
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

/** What is posted to receivers, as they see it. */
export function describeWebhooks(tag: string) {
  const event = {
    post: {
      operationId: 'verificationCompleted',
      tags: [tag],
      summary: 'A session is finished, whatever the outcome.',
      description:
        'Posted to `webhookConfig.eventCallbackUrl`. Answer with a 2xx within 5 seconds, or the event is sent once more and then never again; so the same event may come twice. It names the session only: get-session-result has the rest.',
      security: [],
      parameters: described({
        ...headers,
        'X-Selfsame-Environment': endpointHeaders['X-Selfsame-Environment'],
      }),
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(webhookEvent) } } },
      responses: {
        '2XX': { description: 'The event was taken.' },
        '4XX': { description: 'The event was not taken; it is sent once more.' },
        '5XX': { description: 'The event was not taken; it is sent once more.' },
      },
    },
  }
  const ofAccount = {
    post: {
      operationId: 'accountEvent',
      tags: [tag],
      summary: 'Something happened to a session, a kiosk or a collection of the account.',
      description: `Posted to the endpoints of the account that asked for it: ${accountEvents.join(', ')}. Answer with a 2xx within 5 seconds, or it is sent again after 5 seconds, 5 minutes, 30 minutes, 2, 5 and 10 hours. No order is promised.`,
      security: [],
      parameters: described(endpointHeaders),
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(accountEvent) } } },
      responses: {
        '2XX': { description: 'The event was taken.' },
        '4XX': { description: 'The event was not taken; it is sent again.' },
        '5XX': { description: 'The event was not taken; it is sent again.' },
      },
    },
  }
  return { VerificationCompleted: event, AccountEvent: ofAccount }
}
