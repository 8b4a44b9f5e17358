import { createVerification } from '#shared/contract/configuration/verification.ts'
import { newVerification, signedQuery } from '../../support/visit.ts'
import type { Cases, Limits } from '../contract-case.ts'

let names = 0
/** A name that no other verification has. */
const newName = () => `contract ${++names}`

export const configurationCases: Cases = {
  createSignature: {
    200: ({ key }) => ({ authorization: key, body: { queryString: 'a=1' } }),
    400: ({ key }) => ({ authorization: key, body: {} }),
    401: () => ({ body: { queryString: 'a=1' } }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('analyse'), body: { queryString: 'a=1' } }),
  },
  validateSignature: {
    200: ({ key }) => ({ authorization: key, body: { queryString: 'a=1' } }),
    400: ({ key }) => ({ authorization: key, body: { queryString: '#' } }),
    401: () => ({ body: { queryString: 'a=1' } }),
    403: async ({ orphan }) => ({ authorization: await orphan(), body: { queryString: 'a=1' } }),
  },
  getVerification: {
    200: async ({ key, host }) => ({
      authorization: key,
      query: { verificationId: await newVerification(host) },
    }),
    400: ({ key }) => ({ authorization: key }),
    401: () => ({ query: { verificationId: 'x' } }),
    403: async ({ keyWith }) => ({ authorization: await keyWith(), query: { verificationId: 'x' } }),
    404: ({ key }) => ({ authorization: key, query: { verificationId: 'x' } }),
  },
  createVerification: {
    200: ({ key }) => ({ authorization: key, body: { name: newName(), verificationConfig: {} } }),
    400: ({ key }) => ({ authorization: key, body: { name: '' } }),
    401: () => ({ body: { name: 'a' } }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('analyse'), body: { name: 'a' } }),
    409: async ({ key, host }) => {
      const name = newName()
      await host.call(createVerification, { body: { name } })
      return { authorization: key, body: { name } }
    },
  },
  getAllVerifications: {
    200: ({ key }) => ({ authorization: key }),
    400: ({ key }) => ({ authorization: key, rawQuery: '?a=%zz' }),
    401: () => ({}),
    403: async ({ keyWith }) => ({ authorization: await keyWith('analyse') }),
  },
  getVerificationVersions: {
    200: async ({ key, host }) => ({
      authorization: key,
      query: { verificationId: await newVerification(host) },
    }),
    400: ({ key }) => ({ authorization: key }),
    401: () => ({ query: { verificationId: 'x' } }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('analyse'), query: { verificationId: 'x' } }),
    404: ({ key }) => ({ authorization: key, query: { verificationId: 'x' } }),
  },
  createOrUpdateVerification: {
    200: ({ key }) => ({ authorization: key, body: { name: newName() } }),
    400: ({ key }) => ({ authorization: key, body: {} }),
    401: () => ({ body: { name: 'a' } }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('analyse'), body: { name: 'a' } }),
  },
  updateVerification: {
    200: async ({ key, host }) => ({
      authorization: key,
      body: { verificationId: await newVerification(host), name: newName(), verificationConfig: {} },
    }),
    400: ({ key }) => ({ authorization: key, body: { name: 'a' } }),
    401: () => ({ body: { verificationId: 'x' } }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('analyse'), body: { verificationId: 'x' } }),
    404: ({ key }) => ({ authorization: key, body: { verificationId: 'x' } }),
    409: async ({ key, host }) => {
      const name = newName()
      await host.call(createVerification, { body: { name } })
      return { authorization: key, body: { verificationId: await newVerification(host), name } }
    },
  },
  deleteVerification: {
    200: async ({ key, host }) => ({
      authorization: key,
      query: { verificationId: await newVerification(host) },
    }),
    400: ({ key }) => ({ authorization: key }),
    401: () => ({ query: { verificationId: 'x' } }),
    403: async ({ keyWith }) => ({ authorization: await keyWith(), query: { verificationId: 'x' } }),
    404: ({ key }) => ({ authorization: key, query: { verificationId: 'x' } }),
  },
}

export const configurationLimits: Limits = {
  createSignature: [
    {
      says: 'interface: signed URL lifetime 1 to 604800 seconds',
      within: [1, 604_800],
      beyond: [0, 604_801],
      pointer: '#/securitySettings/expirationInSeconds',
      send: ({ key }, expirationInSeconds: number) => ({
        authorization: key,
        body: { queryString: 'a=1', securitySettings: { expirationInSeconds } },
      }),
    },
    {
      says: 'ours: a query string has at most 8192 characters, percent-encoded',
      within: ['a'.repeat(8192), `a${'ü'.repeat(1365)}`],
      beyond: ['a'.repeat(8193), `aaa${'ü'.repeat(1365)}`],
      pointer: '#/queryString',
      send: ({ key }, queryString: string) => ({ authorization: key, body: { queryString } }),
    },
  ],
  validateSignature: [
    {
      says: 'ours: whatever was signed can be checked',
      within: ['a'.repeat(8192)],
      beyond: [],
      pointer: '#/queryString',
      send: async ({ key, host }, query: string) => {
        const queryString = await signedQuery(host, query, { enableNonce: true })
        return { authorization: key, body: { queryString } }
      },
    },
    {
      says: 'ours: a query string that is checked has at most 32768 characters',
      within: ['a'.repeat(32_768)],
      beyond: ['a'.repeat(32_769)],
      pointer: '#/queryString',
      send: ({ key }, queryString: string) => ({ authorization: key, body: { queryString } }),
    },
  ],
  createVerification: [
    {
      says: 'interface: the age threshold is an int32',
      within: [-(2 ** 31), 2 ** 31 - 1],
      beyond: [-(2 ** 31) - 1, 2 ** 31],
      pointer: '#/verificationConfig/verifierConfigs/age/thresholdConfig/threshold',
      send: ({ key }, threshold: number) => ({
        authorization: key,
        body: {
          name: newName(),
          verificationConfig: { verifierConfigs: { age: { thresholdConfig: { threshold } } } },
        },
      }),
    },
    {
      says: 'interface: verification name, minimum length 1',
      within: ['a'],
      beyond: [''],
      pointer: '#/name',
      send: ({ key }, name: string) => ({ authorization: key, body: { name } }),
    },
  ],
  createOrUpdateVerification: [
    {
      says: 'interface: verification name, minimum length 1',
      within: ['b'],
      beyond: [''],
      pointer: '#/name',
      send: ({ key }, name: string) => ({ authorization: key, body: { name } }),
    },
  ],
  updateVerification: [
    {
      says: 'interface: verification name, minimum length 1',
      within: ['c'],
      beyond: [''],
      pointer: '#/name',
      send: async ({ key, host }, name: string) => ({
        authorization: key,
        body: { verificationId: await newVerification(host), name },
      }),
    },
  ],
}
