import {
  createWebhookEndpoint,
  mostEndpoints,
  updateWebhookEndpoint,
} from '#shared/contract/account/webhook-endpoint.ts'
import type { Host } from '../../support/host.ts'
import type { Cases, Limits, Make } from '../contract-case.ts'
import type { Setting } from '../setting.ts'

const bare: Make = () => ({})
const without: Make = async ({ keyWith }) => ({
  authorization: await keyWith('configure', 'tokens', 'analyse'),
})
const events = ['VerificationCompleted' as const]
const url = 'https://shop.example/events'

async function newEndpoint({ host }: { host: Host }): Promise<string> {
  return (await host.call(createWebhookEndpoint, { body: { url, events } })).endpointId
}

/** A host with an account that already has `count` endpoints. */
async function hostHaving(count: number, { hostWith }: Setting, name: string) {
  const host = await hostWith(name, {})
  for (let at = 0; at < count; at++) await newEndpoint({ host })
  return { on: host, authorization: `ApiKey ${host.apiKey}` }
}

const unknown = { endpointId: 'x' }

export const webhookCases: Cases = {
  createWebhookEndpoint: {
    200: (setting) => hostHaving(0, setting, 'few').then((on) => ({ ...on, body: { url, events } })),
    400: ({ key }) => ({ authorization: key, body: { url: 'ftp://shop.example', events } }),
    401: bare,
    403: without,
    409: async (setting) => ({
      ...(await hostHaving(mostEndpoints, setting, 'full')),
      body: { url, events },
    }),
  },
  getWebhookEndpoints: {
    200: ({ key }) => ({ authorization: key }),
    400: ({ key }) => ({ authorization: key, query: { endpointId: 'x' } }),
    401: bare,
    403: without,
  },
  updateWebhookEndpoint: {
    200: async (setting) => ({
      authorization: setting.key,
      body: { endpointId: await newEndpoint(setting), enabled: false },
    }),
    400: ({ key }) => ({ authorization: key, body: {} }),
    401: bare,
    403: without,
    404: ({ key }) => ({ authorization: key, body: unknown }),
  },
  sendTestEvent: {
    200: async (setting) => ({
      authorization: setting.key,
      body: { endpointId: await newEndpoint(setting) },
    }),
    400: ({ key }) => ({ authorization: key, body: { endpointId: 'x', event: 'Nothing' } }),
    401: bare,
    403: without,
    404: ({ key }) => ({ authorization: key, body: unknown }),
    409: async (setting) => {
      const endpointId = await newEndpoint(setting)
      await setting.host.call(updateWebhookEndpoint, { body: { endpointId, enabled: false } })
      return { authorization: setting.key, body: { endpointId } }
    },
  },
  deleteWebhookEndpoint: {
    200: async (setting) => ({
      authorization: setting.key,
      query: { endpointId: await newEndpoint(setting) },
    }),
    400: ({ key }) => ({ authorization: key }),
    401: bare,
    403: without,
    404: ({ key }) => ({ authorization: key, query: unknown }),
  },
  resendFailed: {
    200: ({ key }) => ({ authorization: key, body: { since: '2026-01-01T00:00:00Z' } }),
    400: ({ key }) => ({ authorization: key, body: {} }),
    401: bare,
    403: without,
  },
}

const creating = async (setting: Setting, body: object) => ({
  ...(await hostHaving(0, setting, 'limits')),
  body: { url, events, ...body },
})

export const webhookLimits: Limits = {
  createWebhookEndpoint: [
    {
      says: 'ours: an address by the rule of webhooks',
      within: ['https://shop.example/a?b=c', 'http://127.0.0.1:9/hook'],
      beyond: ['http://shop.example/', 'shop.example', 'https://a:b@shop.example/', ''],
      pointer: '#/url',
      send: (setting, given: string) => creating(setting, { url: given }),
    },
    {
      says: 'ours: at least one event',
      within: [['VerificationStarted'], ['KioskRevoked', 'CollectionFull']],
      beyond: [[]],
      pointer: '#/events',
      send: (setting, given: string[]) => creating(setting, { events: given }),
    },
    {
      says: 'ours: events that there are',
      within: [],
      beyond: ['VerificationOpened', 'verificationStarted'],
      pointer: '#/events/0',
      send: (setting, given: string) => creating(setting, { events: [given] }),
    },
    {
      says: 'ours: a description of at most 200 characters',
      within: ['', 'a'.repeat(200)],
      beyond: ['a'.repeat(201)],
      pointer: '#/description',
      send: (setting, description: string) => creating(setting, { description }),
    },
  ],
  resendFailed: [
    {
      says: 'ours: a time as ISO 8601 with its offset',
      within: ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000+01:00', '2026-01-01T00:00Z'],
      beyond: ['2026-01-01', '2026-13-01T00:00:00Z', '2026-01-01T00:00:00', '1', ''],
      pointer: '#/since',
      send: ({ key }, since: string) => ({ authorization: key, body: { since } }),
    },
  ],
}
