import type { Cases, Limits } from '../contract-case.ts'

export const securityCases: Cases = {
  getToken: {
    200: ({ key }) => ({ authorization: key }),
    400: ({ key }) => ({ authorization: key, query: { expirationInSeconds: 'soon' } }),
    401: () => ({}),
    403: async ({ keyWith }) => ({ authorization: await keyWith('configure') }),
  },
  getUtcNow: {
    200: ({ key }) => ({ authorization: key }),
    401: () => ({}),
    403: async ({ orphan }) => ({ authorization: await orphan() }),
  },
}

export const securityLimits: Limits = {
  getToken: [
    {
      says: 'interface: token lifetime 60 to 3600 seconds',
      within: [60, 3600],
      beyond: [59, 3601],
      pointer: '#/query/expirationInSeconds',
      send: ({ key }, value: number) => ({ authorization: key, query: { expirationInSeconds: `${value}` } }),
    },
  ],
}
