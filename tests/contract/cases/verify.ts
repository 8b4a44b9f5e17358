import { imageOf, newCollection } from '../../support/drawn/gallery.ts'
import type { Cases, Limits, Make } from '../contract-case.ts'

const body = () => ({ imageData: imageOf({ person: 'anna' }).bytes })
const query = { collectionName: 'contract', includeDemographicalInfo: 'true' }
const verifyWith =
  (change: Record<string, string>): Make =>
  ({ key }) => ({ authorization: key, query: { ...query, ...change }, body: body() })

export const verifyCases: Cases = {
  getVerifyToken: {
    200: ({ host }) => ({ headers: { 'x-api-key': host.apiKey } }),
    400: ({ key }) => ({ authorization: key, query: { expirationInSeconds: 'soon' } }),
    401: () => ({}),
    403: async ({ keyWith }) => ({ authorization: await keyWith('configure') }),
  },
  verifyDuplicate: {
    200: verifyWith({}),
    400: ({ key }) => ({ authorization: key, query, body: { imageData: 'AAAA' } }),
    401: () => ({ query, body: body() }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('analyse'), query, body: body() }),
  },
  resetCollection: {
    200: async ({ host, key }) => ({
      authorization: key,
      query: { collectionName: await newCollection(host) },
    }),
    400: ({ key }) => ({ authorization: key }),
    401: () => ({ query: { collectionName: 'x' } }),
    403: async ({ keyWith }) => ({
      authorization: await keyWith('analyse'),
      query: { collectionName: 'x' },
    }),
  },
}

export const verifyLimits: Limits = {
  getVerifyToken: [
    {
      says: 'interface: token lifetime 60 to 3600 seconds',
      within: [60, 3600],
      beyond: [59, 3601],
      pointer: '#/query/expirationInSeconds',
      send: ({ key }, value: number) => ({ authorization: key, query: { expirationInSeconds: `${value}` } }),
    },
  ],
  verifyDuplicate: [
    {
      says: 'interface: includeDemographicalInfo, boolean, required',
      within: ['true', 'false'],
      beyond: ['', '1', 'yes', undefined],
      pointer: '#/query/includeDemographicalInfo',
      send: ({ key }, value: string | undefined) => {
        const { includeDemographicalInfo: _, ...rest } = query
        const asked = value === undefined ? rest : { ...rest, includeDemographicalInfo: value }
        return { authorization: key, query: asked, body: body() }
      },
    },
    {
      says: 'product: collectionName is a collectionId',
      within: ['/', 'x'.repeat(512)],
      beyond: ['', 'x'.repeat(513)],
      pointer: '#/query/collectionName',
      send: (setting, collectionName: string) => verifyWith({ collectionName })(setting),
    },
    {
      says: 'an external identifier has at most 512 characters',
      within: ['', 'x'.repeat(512)],
      beyond: ['x'.repeat(513)],
      pointer: '#/query/externalIdentifier',
      send: (setting, externalIdentifier: string) => verifyWith({ externalIdentifier })(setting),
    },
  ],
  resetCollection: [
    {
      says: 'interface: entryLimit, integer',
      within: [1, 50, 2 ** 31 - 1],
      beyond: [0, -1, 2 ** 31, 1.5, 'many', ''],
      pointer: '#/query/entryLimit',
      send: async ({ host, key }, entryLimit: number) => ({
        authorization: key,
        query: { collectionName: await newCollection(host), entryLimit: `${entryLimit}` },
      }),
    },
  ],
}
