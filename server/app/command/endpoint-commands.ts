import { resendFailed } from '#shared/contract/account/webhook.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoints,
  updateWebhookEndpoint,
} from '#shared/contract/account/webhook-endpoint.ts'
import type { Arguments, ResultOf } from '#shared/endpoint.ts'
import { type Command, type Context, switchOf } from './command.ts'

type Endpoint = ResultOf<typeof getWebhookEndpoints>['endpoints'][number]
type Events = Arguments<typeof createWebhookEndpoint>['body']['events']

const endpoints: Command = {
  summary: 'Lists the endpoints that receive events of an account.',
  async run({ call, services: { endpointService } }) {
    const get = endpointService.getWebhookEndpoints
    const result = await call('getWebhookEndpoints', getWebhookEndpoints, get, {})
    const lines = result.endpoints.map(lineOf)
    return { result, lines: lines.length > 0 ? lines : ['There is no endpoint.'] }
  },
}

const create: Command = {
  summary:
    'Creates an endpoint that receives --events, separated by commas, and prints its secret once; --description says what it is for.',
  subject: 'URL',
  options: { events: { type: 'string' }, description: { type: 'string' } },
  async run({ call, subject, text, services: { endpointService } }) {
    const description = text('description')
    const body = { url: subject, events: eventsOf(text('events') ?? ''), ...(description && { description }) }
    const make = endpointService.createWebhookEndpoint
    const result = await call('createWebhookEndpoint', createWebhookEndpoint, make, { body })
    return {
      result,
      lines: [`Endpoint: ${result.endpointId}`, `Secret: ${result.secret}`, 'The secret is not shown again.'],
    }
  },
}

const update: Command = {
  summary: 'Changes an endpoint: --url, --events, --description, --enabled on or off.',
  subject: 'ENDPOINT',
  options: {
    url: { type: 'string' },
    events: { type: 'string' },
    description: { type: 'string' },
    enabled: { type: 'string' },
  },
  async run(context) {
    const { call, subject, services } = context
    const change = services.endpointService.updateWebhookEndpoint
    const body = { endpointId: subject, ...changesOf(context) }
    const result = await call('updateWebhookEndpoint', updateWebhookEndpoint, change, { body })
    return { result, lines: [lineOf(result.endpoint)] }
  },
}

const remove: Command = {
  summary: 'Deletes an endpoint; events still waiting to be sent to it are dropped.',
  subject: 'ENDPOINT',
  async run({ call, subject, services: { endpointService } }) {
    const query = { endpointId: subject }
    const handler = endpointService.deleteWebhookEndpoint
    const result = await call('deleteWebhookEndpoint', deleteWebhookEndpoint, handler, { query })
    return { result, lines: [`The endpoint ${subject} is deleted.`] }
  },
}

const resend: Command = {
  summary:
    'Resends events whose delivery was abandoned since --since TIME, optionally of one --endpoint, and waits for the outcome.',
  options: { since: { type: 'string' }, endpoint: { type: 'string' } },
  async run({ call, text, services: { webhookService, deliveries } }) {
    const endpointId = text('endpoint')
    const body = { since: text('since') ?? '', ...(endpointId !== undefined && { endpointId }) }
    const result = await call('resendFailed', resendFailed, webhookService.resendFailed, { body })
    await deliveries.settle()
    return { result, lines: [`Sent again: ${result.count}`] }
  },
}

export const endpointCommands: Readonly<Record<string, Command>> = {
  endpoints,
  'create-endpoint': create,
  'update-endpoint': update,
  'delete-endpoint': remove,
  'resend-failed': resend,
}

function changesOf(context: Context) {
  const { text } = context
  const [url, events, description] = [text('url'), text('events'), text('description')]
  const enabled = switchOf(context, 'enabled')
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: eventsOf(events) }),
    ...(description !== undefined && { description }),
    ...(enabled !== undefined && { enabled }),
  }
}

/** Validated by the endpoint, like every request. */
function eventsOf(words: string): Events {
  return words.split(',').filter((word) => word !== '') as Events
}

function lineOf({ endpointId, url, events, enabled, failingSince, switchedOff }: Endpoint): string {
  const failing = failingSince === null ? 'on' : `failing since ${failingSince}`
  return `${endpointId}  ${url}  ${events.join(',')}  ${enabled ? failing : `off since ${switchedOff}`}`
}
