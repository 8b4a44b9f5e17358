import { webhookEvent } from '#shared/contract/account/webhook.ts'
import { schemaOf } from './schemas.ts'

const headers = {
  'X-API-Key': "The account's primary API key, unless the account has switched it off.",
  'webhook-id': 'Names the event; the same for its second attempt.',
  'webhook-timestamp': 'When the attempt was made, in seconds since 1970 (UTC).',
  'webhook-signature':
    'Standard Webhooks: `v1,` and Base64 of the HMAC-SHA-256 of id, timestamp and body, with a full stop between. Two of them, with a space between, while the secret is being exchanged.',
}

/** The one event, as its receiver sees it. */
export function describeWebhooks(tag: string) {
  return {
    VerificationCompleted: {
      post: {
        operationId: 'verificationCompleted',
        tags: [tag],
        summary: 'A session is finished, whatever the outcome.',
        description:
          'Posted to `webhookConfig.eventCallbackUrl`. Answer with a 2xx within 5 seconds, or the event is sent once more and then never again; so the same event may come twice. It names the session only: get-session-result has the rest.',
        security: [],
        parameters: Object.entries(headers).map(([name, description]) => ({
          name,
          in: 'header',
          required: name !== 'X-API-Key',
          description,
          schema: { type: 'string' },
        })),
        requestBody: { required: true, content: { 'application/json': { schema: schemaOf(webhookEvent) } } },
        responses: {
          '2XX': { description: 'The event was taken.' },
          '4XX': { description: 'The event was not taken; it is sent once more.' },
          '5XX': { description: 'The event was not taken; it is sent once more.' },
        },
      },
    },
  }
}
