import type { Cases, Limits } from '../contract-case.ts'

export const healthCases: Cases = {
  healthz: { 200: () => ({}) },
  readyz: {
    200: () => ({}),
    400: () => ({ query: { verbose: 'true' } }),
    503: async ({ hostWith }) => ({
      on: await hostWith('starting', { ports: { phase: () => 'starting' } }),
    }),
  },
}

export const healthLimits: Limits = {}
