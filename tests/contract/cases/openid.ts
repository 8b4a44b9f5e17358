import { createVerification } from '#shared/contract/configuration/verification.ts'
import {
  ageThresholdRange,
  createOpenidClient,
  mostAgeThresholds,
  mostOpenidClients,
  mostRedirectUris,
} from '#shared/contract/openid/openid-client.ts'
import type { Host } from '../../support/host.ts'
import type { Cases, Limits, Make } from '../contract-case.ts'
import type { Setting } from '../setting.ts'

const bare: Make = () => ({})
const without: Make = async ({ keyWith }) => ({
  authorization: await keyWith('configure', 'tokens', 'analyse'),
})
const redirectUri = 'https://shop.example/callback'
const redirectUris = [redirectUri]
const unknown = { clientId: 'x' }

/** A host that acts as a provider, and the settings for one of its clients. */
async function provider({ hostWith }: Setting, name = 'openid') {
  const host = await hostWith(name, { ports: { isOpenidProvider: true } })
  const verification = { name: `openid ${Math.random()}`, verificationConfig: {} }
  const { verificationId } = await host.call(createVerification, { body: verification })
  const { apiKey: strange } = await host.services.accounts.create('Another account')
  const credentials = { on: host, authorization: `ApiKey ${host.apiKey}`, stranger: `ApiKey ${strange}` }
  return { host, credentials, settings: { name: 'Shop', redirectUris, verificationId } }
}

type Settings = Awaited<ReturnType<typeof provider>>['settings']

async function newClient(host: Host, settings: Settings, isPublic = false): Promise<string> {
  return (await host.call(createOpenidClient, { body: { ...settings, isPublic } })).clientId
}

const withClient =
  (make: (clientId: string) => object, isPublic = false): Make =>
  async (setting) => {
    const { host, credentials, settings } = await provider(setting)
    return { ...credentials, ...make(await newClient(host, settings, isPublic)) }
  }

const asAdmin =
  (request: object): Make =>
  ({ key }) => ({ authorization: key, ...request })

export const openidCases: Cases = {
  createOpenidClient: {
    200: async (setting) => {
      const { credentials, settings } = await provider(setting)
      return { ...credentials, body: settings }
    },
    400: asAdmin({ body: { name: 'Shop', redirectUris: ['http://shop.example/'], verificationId: 'x' } }),
    401: bare,
    403: without,
    404: async (setting) => {
      const { credentials, settings } = await provider(setting)
      return { ...credentials, body: { ...settings, verificationId: 'x' } }
    },
    409: async (setting) => {
      const { host, credentials, settings } = await provider(setting, 'full of clients')
      for (let i = 0; i < mostOpenidClients; i++) await newClient(host, settings)
      return { ...credentials, body: settings }
    },
  },
  getOpenidClients: {
    200: asAdmin({}),
    400: asAdmin({ query: { clientId: 'x' } }),
    401: bare,
    403: without,
  },
  updateOpenidClient: {
    200: withClient((clientId) => ({ body: { clientId, name: 'Shop two' } })),
    400: asAdmin({ body: {} }),
    401: bare,
    403: without,
    404: asAdmin({ body: unknown }),
  },
  deleteOpenidClient: {
    200: withClient((clientId) => ({ query: { clientId } })),
    400: asAdmin({}),
    401: bare,
    403: without,
    404: asAdmin({ query: unknown }),
  },
  rotateOpenidSecret: {
    200: withClient((clientId) => ({ body: { clientId } })),
    400: asAdmin({ body: {} }),
    401: bare,
    403: without,
    404: asAdmin({ body: unknown }),
    409: withClient((clientId) => ({ body: { clientId } }), true),
  },
  tryOpenidClient: {
    200: withClient((clientId) => ({ body: { clientId, redirectUri } })),
    400: asAdmin({ body: { clientId: 'x', redirectUri: 'app:/callback' } }),
    401: bare,
    403: without,
    404: asAdmin({ body: { clientId: 'x', redirectUri } }),
  },
}

const creating = async (setting: Setting, body: object) => {
  const { credentials, settings } = await provider(setting, `limits ${setting.host.origin}`)
  return { ...credentials, body: { ...settings, ...body } }
}

const { minimum, maximum } = ageThresholdRange
const addresses = (count: number) => Array.from({ length: count }, (_, i) => `https://shop.example/${i}`)
const ages = (count: number) => Array.from({ length: count }, (_, i) => minimum + i)

export const openidLimits: Limits = {
  createOpenidClient: [
    {
      says: `ours: 1 to ${mostRedirectUris} redirect addresses`,
      within: [addresses(1), addresses(mostRedirectUris)],
      beyond: [[], addresses(mostRedirectUris + 1)],
      pointer: '#/redirectUris',
      send: (setting, given: string[]) => creating(setting, { redirectUris: given }),
    },
    {
      says: 'ours: redirect addresses are https, or http on loopback, and have no fragment',
      within: ['https://shop.example/a?b=c', 'http://127.0.0.1:9/callback', 'http://localhost/'],
      beyond: [
        'http://shop.example/',
        'app:/callback',
        'https://shop.example/#a',
        'https://a:b@shop.example/',
      ],
      pointer: '#/redirectUris/0',
      send: (setting, given: string) => creating(setting, { redirectUris: [given] }),
    },
    {
      says: `ours: up to ${mostAgeThresholds} ages`,
      within: [[], ages(mostAgeThresholds)],
      beyond: [ages(mostAgeThresholds + 1), [18, 18]],
      pointer: '#/ageThresholds',
      send: (setting, given: number[]) => creating(setting, { ageThresholds: given }),
    },
    {
      says: `ours: ages of ${minimum} to ${maximum}, whole`,
      within: [minimum, 18, maximum],
      beyond: [minimum - 1, maximum + 1, 18.5],
      pointer: '#/ageThresholds/0',
      send: (setting, given: number) => creating(setting, { ageThresholds: [given] }),
    },
    {
      says: 'ours: a name of 1 to 100 characters',
      within: ['A', 'n'.repeat(100)],
      beyond: ['', 'n'.repeat(101)],
      pointer: '#/name',
      send: (setting, given: string) => creating(setting, { name: given }),
    },
  ],
}
