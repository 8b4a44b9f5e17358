import { getDeliveries } from '#shared/contract/account/webhook.ts'
import { createWebhookEndpoint, deleteWebhookEndpoint } from '#shared/contract/account/webhook-endpoint.ts'
import { newVerification, openSession, submit, visit } from '../../support/visit.ts'
import type { Cases, Limits, Make } from '../contract-case.ts'
import type { Setting } from '../setting.ts'
import { webhookCases, webhookLimits } from './webhook.ts'

const newKey = async ({ host }: Setting, revoked = false) => {
  const { key } = await host.services.accounts.keys.create(host.accountId, 'A key', [])
  if (revoked) await host.services.accounts.keys.revoke(host.accountId, key.keyId)
  return key.keyId
}

/** A delivery to an address that nothing listens on. */
async function newDelivery({ host }: Setting): Promise<string> {
  const webhookConfig = { eventCallbackUrl: 'http://127.0.0.1:9/hook' }
  const opened = await openSession(host, await newVerification(host, { webhookConfig }))
  await submit(host, opened, { person: 'anna' })
  await host.services.deliveries.settle()
  const answer = await host.fetch(
    `/v1/webhook/get-deliveries?verificationSessionId=${opened.verificationSessionId}`,
    { headers: { authorization: `ApiKey ${host.apiKey}` } },
  )
  return (await answer.json()).deliveries[0].deliveryId
}

const primaryKeyId = async ({ host }: Setting) =>
  (await host.services.accounts.find(host.accountId))!.primaryKeyId

const without: Make = async ({ keyWith }) => ({ authorization: await keyWith('configure', 'tokens') })
const bare: Make = () => ({})
const reading = {
  200: ({ key }: Setting) => ({ authorization: key }),
  400: ({ key }: Setting) => ({ authorization: key, query: { limit: '1' } }),
  401: bare,
  403: without,
}
const rotating = {
  200: ({ key }: Setting) => ({ authorization: key, body: {} }),
  400: ({ key }: Setting) => ({ authorization: key, body: { immediately: 'yes' } }),
  401: bare,
  403: without,
}
const paged = (cursor: string) => ({
  200: ({ key }: Setting) => ({ authorization: key, query: { limit: '2' } }),
  400: ({ key }: Setting) => ({ authorization: key, query: { cursor } }),
  401: bare,
  403: without,
})

export const accountCases: Cases = {
  getAccount: reading,
  updateAccount: {
    200: ({ key }) => ({ authorization: key, body: { accentColour: '#1a6b54' } }),
    400: ({ key }) => ({ authorization: key, body: { accentColour: 'green' } }),
    401: bare,
    403: without,
  },
  getAttention: {
    ...reading,
    403: async ({ keyWith }) => ({ authorization: await keyWith('analyse') }),
  },
  updateAttentionLimits: {
    200: ({ key }) => ({ authorization: key, body: { kioskHours: 4 } }),
    400: ({ key }) => ({ authorization: key, body: { kioskHours: 0 } }),
    401: bare,
    403: without,
  },
  confirmAttention: {
    200: async (setting) => ({
      authorization: setting.key,
      body: { verificationId: await newVerification(setting.host) },
    }),
    400: ({ key }) => ({ authorization: key, body: {} }),
    401: bare,
    403: without,
    404: ({ key }) => ({ authorization: key, body: { verificationId: 'x' } }),
  },
  getKeys: reading,
  createKey: {
    200: ({ key }) => ({ authorization: key, body: { name: 'Webhooks', scopes: [] } }),
    400: ({ key }) => ({ authorization: key, body: { name: 'Webhooks', scopes: ['everything'] } }),
    401: bare,
    403: without,
  },
  revokeKey: {
    200: async (setting) => ({ authorization: setting.key, query: { keyId: await newKey(setting) } }),
    400: ({ key }) => ({ authorization: key }),
    401: bare,
    403: without,
    404: ({ key }) => ({ authorization: key, query: { keyId: 'x' } }),
    409: async (setting) => ({ authorization: setting.key, query: { keyId: await primaryKeyId(setting) } }),
  },
  setPrimaryKey: {
    200: async (setting) => ({ authorization: setting.key, body: { keyId: await primaryKeyId(setting) } }),
    400: ({ key }) => ({ authorization: key, body: {} }),
    401: bare,
    403: without,
    404: ({ key }) => ({ authorization: key, body: { keyId: 'x' } }),
    409: async (setting) => ({ authorization: setting.key, body: { keyId: await newKey(setting, true) } }),
  },
  rotateSigningKey: rotating,
  rotateWebhookSecret: rotating,
  getRequests: paged('x'),
  getAuditLog: paged('x'),
  verifyAuditLog: {
    200: ({ key }) => ({ authorization: key }),
    400: ({ key }) => ({ authorization: key, query: { sequence: '1' } }),
    401: bare,
    403: without,
  },
  getDeliveries: paged('x'),
  ...webhookCases,
  resendDelivery: {
    200: async (setting) => ({
      authorization: setting.key,
      body: { deliveryId: await newDelivery(setting) },
    }),
    400: ({ key }) => ({ authorization: key, body: {} }),
    401: bare,
    403: without,
    404: ({ key }) => ({ authorization: key, body: { deliveryId: 'x' } }),
    409: async ({ host, key }) => {
      const body = { url: 'http://127.0.0.1:9/hook', events: ['VerificationCompleted' as const] }
      const { endpointId } = await host.call(createWebhookEndpoint, { body })
      await visit(host, await newVerification(host), { person: 'anna' })
      await host.services.deliveries.settle()
      const { deliveries } = await host.call(getDeliveries, { query: { endpointId } })
      await host.call(deleteWebhookEndpoint, { query: { endpointId } })
      return { authorization: key, body: { deliveryId: deliveries[0]!.deliveryId } }
    },
  },
  deletePerson: {
    200: ({ key }) => ({ authorization: key, query: { externalId: 'nobody' } }),
    400: ({ key }) => ({ authorization: key }),
    401: bare,
    403: without,
  },
  resetPasskeys: {
    200: ({ key }) => ({ authorization: key, body: { externalId: 'nobody' } }),
    400: ({ key }) => ({ authorization: key, body: { externalId: '' } }),
    401: bare,
    403: without,
  },
}

const page = {
  says: 'ours: limit 1 to 100',
  within: ['1', '100'],
  beyond: ['0', '101'],
  pointer: '#/query/limit',
  send: ({ key }: Setting, limit: string) => ({ authorization: key, query: { limit } }),
}

export const accountLimits: Limits = {
  getRequests: [page],
  getAuditLog: [page],
  getDeliveries: [
    page,
    {
      says: 'ours: states that there are',
      within: ['pending', 'delivered', 'failed'],
      beyond: ['Failed', 'open', ''],
      pointer: '#/query/state',
      send: ({ key }, state: string) => ({ authorization: key, query: { state } }),
    },
  ],
  ...webhookLimits,
  createKey: [
    {
      says: 'ours: name of 1 to 100 characters',
      within: ['a', 'a'.repeat(100)],
      beyond: ['', 'a'.repeat(101)],
      pointer: '#/name',
      send: ({ key }, name: string) => ({ authorization: key, body: { name, scopes: [] } }),
    },
  ],
  updateAccount: [
    {
      says: 'ours: name of 1 to 200 characters',
      within: ['a', 'a'.repeat(200)],
      beyond: ['', 'a'.repeat(201)],
      pointer: '#/name',
      send: ({ key }, name: string) => ({ authorization: key, body: { name } }),
    },
    {
      says: 'ours: accent colour #rrggbb, or null',
      within: ['#000000', '#AbCdEf', null],
      beyond: ['#000', 'red', '#0000000', '#00000g', ''],
      pointer: '#/accentColour',
      send: ({ key }, accentColour: string | null) => ({ authorization: key, body: { accentColour } }),
    },
    {
      says: 'ours: attempts 1 to 1000, off or null',
      within: [1, 1000, 'off', null],
      beyond: [0, 1001, 1.5, 'on'],
      pointer: '#/attemptLimit',
      send: ({ key }, attemptLimit: number | string | null) => ({
        authorization: key,
        body: { attemptLimit },
      }),
    },
    {
      says: 'ours: second opinions about 0 to 100 percent of the reviews',
      within: [0, 100],
      beyond: [-1, 101, 0.5, null],
      pointer: '#/secondOpinionPercent',
      send: ({ key }, secondOpinionPercent: number | null) => ({
        authorization: key,
        body: { secondOpinionPercent },
      }),
    },
    {
      says: 'product: supportUrl https or mailto, or null',
      within: ['https://shop.example/help?a=1', 'https://shop.example', 'mailto:help@shop.example', null],
      beyond: ['http://shop.example', 'shop.example', 'mailto:help', 'https://u@shop.example', 'tel:1', ''],
      pointer: '#/supportUrl',
      send: ({ key }, supportUrl: string | null) => ({ authorization: key, body: { supportUrl } }),
    },
    {
      says: 'ours: displayName of 1 to 200 characters, or null',
      within: ['a', 'a'.repeat(200), null],
      beyond: ['', 'a'.repeat(201)],
      pointer: '#/displayName',
      send: ({ key }, displayName: string | null) => ({ authorization: key, body: { displayName } }),
    },
    {
      says: 'ours: corners of 0 to 32 pixels, or null',
      within: [0, 32, null],
      beyond: [-1, 33, 1.5],
      pointer: '#/theme/radius',
      send: ({ key }, radius: number | null) => ({ authorization: key, body: { theme: { radius } } }),
    },
    {
      says: 'product: mode light, dark or auto',
      within: ['light', 'dark', 'auto', null],
      beyond: ['night', ''],
      pointer: '#/theme/mode',
      send: ({ key }, mode: string | null) => ({ authorization: key, body: { theme: { mode } } }),
    },
    {
      says: 'ours: a font from the list',
      within: ['system', 'serif', 'rounded', 'monospace', null],
      beyond: ['Comic Sans', ''],
      pointer: '#/theme/font',
      send: ({ key }, font: string | null) => ({ authorization: key, body: { theme: { font } } }),
    },
    {
      says: 'ours: scopes of a bearer, or null',
      within: ['analyse', 'configure', 'analyse configure', null],
      beyond: ['', 'admin', 'tokens', 'analyse,configure', 1],
      pointer: '#/defaultTokenScope',
      send: ({ key }, defaultTokenScope: string | null) => ({
        authorization: key,
        body: { defaultTokenScope },
      }),
    },
    {
      says: 'ours: exact origins, https or on loopback',
      within: ['https://shop.example', 'https://a-b.example:8443', 'http://localhost:3000', 'http://[::1]'],
      beyond: [
        '*',
        'https://*.example',
        'http://shop.example',
        'https://shop.example/',
        'https://shop.example; script-src *',
        "'self'",
        'https://user@shop.example',
        'https://shöp.example',
        'HTTPS://shop.example',
        'null',
      ],
      pointer: '#/embedOrigins/0',
      send: ({ key }, origin: string) => ({ authorization: key, body: { embedOrigins: [origin] } }),
    },
  ],
}
