import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '#shared/contract/catalogue.ts'
import { limits } from '#shared/contract/session.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { hosts, type Role } from '#shared/hosts.ts'
import { problemBody } from '#shared/problem.ts'
import { frameOf } from '../support/fake-picture.ts'
import { type Host, startHost } from '../support/host.ts'
import { consent, newVerification, openSession, signedQuery, submit } from '../support/visit.ts'

const anna = { person: 'anna' }
const live = { verifierConfigs: { liveness: { type: 'Verification' as const } } }
const huge = { padding: 'x'.repeat(limits.bodyBytes) }

interface Request {
  query?: Record<string, string>
  body?: unknown
  authorization?: string
}

let host: Host
let limited: Host
beforeAll(async () => {
  host = await startHost()
  limited = await startHost({ ports: { attemptLimit: 1 } })
})
afterAll(async () => {
  await host.close()
  await limited.close()
})

const key = (of: Host = host) => `ApiKey ${of.apiKey}`
const scopeless = async () =>
  `ApiKey ${(await host.services.accounts.createKey(host.accountId, 'n', [])).apiKey}`

/** A key of an account that is gone: valid, but without a known account. */
async function orphan(): Promise<string> {
  return `ApiKey ${(await host.services.accounts.createKey('gone', 'n', ['configure', 'tokens'])).apiKey}`
}

async function session(config = {}) {
  const opened = await openSession(host, await newVerification(host, config))
  return { ...opened, authorization: `Bearer ${opened.sessionToken}` }
}

async function expired() {
  const opened = await session(live)
  host.pass(15 * 60_000)
  return opened
}

async function purged() {
  const opened = await session()
  for await (const entry of host.store.list('session/')) await host.store.remove(entry.key)
  return opened
}

async function completed() {
  const opened = await session()
  await submit(host, opened, anna)
  return opened
}

async function link(settings = {}) {
  const verificationId = await newVerification(host)
  return { verificationId, queryString: await signedQuery(host, '', settings) }
}

async function used() {
  const body = await link({ enableNonce: true })
  await ask(host, catalogue.configuration.initRedirectSession, { body })
  return body
}

async function exhausted(): Promise<Request> {
  const verificationId = await newVerification(limited, live)
  const opened = await openSession(limited, verificationId)
  await submit(limited, opened, anna)
  return { body: { verificationId, queryString: await signedQuery(limited, '') } }
}

const frames = [frameOf(anna)]
const submission = { frames: frames.map((frame) => ({ ...frame, challengeStep: 0 })), consent }
const steps = (number: number) => ({ step: number, frames })

/** For each endpoint, a request for each status that it declares. */
const cases: Record<string, Record<number, () => Promise<Request> | Request>> = {
  healthz: { 200: () => ({}) },
  createSignature: {
    200: () => ({ authorization: key(), body: { queryString: 'a=1' } }),
    400: () => ({ authorization: key(), body: {} }),
    401: () => ({ body: { queryString: 'a=1' } }),
    403: async () => ({ authorization: await scopeless(), body: { queryString: 'a=1' } }),
  },
  validateSignature: {
    200: () => ({ authorization: key(), body: { queryString: 'a=1' } }),
    400: () => ({ authorization: key(), body: { queryString: '#' } }),
    401: () => ({ body: { queryString: 'a=1' } }),
    403: async () => ({ authorization: await orphan(), body: { queryString: 'a=1' } }),
  },
  getVerification: {
    200: async () => ({ authorization: key(), query: { verificationId: await newVerification(host) } }),
    400: () => ({ authorization: key() }),
    401: () => ({ query: { verificationId: 'x' } }),
    403: async () => ({ authorization: await scopeless(), query: { verificationId: 'x' } }),
    404: () => ({ authorization: key(), query: { verificationId: 'x' } }),
  },
  createVerification: {
    200: () => ({ authorization: key(), body: { name: 'contract', verificationConfig: live } }),
    400: () => ({ authorization: key(), body: { name: '' } }),
    401: () => ({ body: { name: 'a' } }),
    403: async () => ({ authorization: await scopeless(), body: { name: 'a' } }),
    409: () => ({ authorization: key(), body: { name: 'contract' } }),
  },
  getSessionResult: {
    200: async () => ({
      authorization: key(),
      query: { verificationSessionId: (await completed()).verificationSessionId },
    }),
    400: () => ({ authorization: key() }),
    401: () => ({ query: { verificationSessionId: 'x' } }),
    403: async () => ({ authorization: await scopeless(), query: { verificationSessionId: 'x' } }),
    404: () => ({ authorization: key(), query: { verificationSessionId: 'x' } }),
  },
  initRedirectSession: {
    200: async () => ({ body: await link() }),
    400: () => ({ body: {} }),
    401: async () => ({ body: { ...(await link()), queryString: '' } }),
    404: () => ({ body: { verificationId: 'x', queryString: '' } }),
    410: async () => ({ body: await used() }),
    429: exhausted,
  },
  getSession: { 200: session, 401: () => ({}), 404: purged },
  submitStep: {
    200: async () => ({ ...(await session()), body: steps(0) }),
    400: async () => ({ ...(await session()), body: { step: 0, frames: [] } }),
    401: () => ({ body: steps(0) }),
    404: async () => ({ ...(await purged()), body: steps(0) }),
    409: async () => ({ ...(await session()), body: steps(1) }),
    410: async () => ({ ...(await expired()), body: steps(0) }),
    413: async () => ({ ...(await session()), body: huge }),
  },
  submitSession: {
    200: async () => ({ ...(await session()), body: submission }),
    400: async () => ({ ...(await session()), body: { ...submission, frames: [] } }),
    401: () => ({ body: submission }),
    404: async () => ({ ...(await purged()), body: submission }),
    410: async () => ({ ...(await expired()), body: submission }),
    413: async () => ({ ...(await session()), body: huge }),
  },
  getToken: {
    200: () => ({ authorization: key() }),
    400: () => ({ authorization: key(), query: { expirationInSeconds: '59' } }),
    401: () => ({}),
    403: async () => ({ authorization: await scopeless() }),
  },
  getUtcNow: {
    200: () => ({ authorization: key() }),
    401: () => ({}),
    403: async () => ({ authorization: await orphan() }),
  },
}

function ask(target: Host, endpoint: Endpoint, { query, body, authorization }: Request): Promise<Response> {
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  return target.fetch(endpoint.path + search, {
    method: endpoint.method,
    headers: {
      ...(authorization && { authorization }),
      ...(endpoint.body && { 'content-type': 'application/json' }),
    },
    ...(endpoint.body && { body: JSON.stringify(body ?? {}) }),
  })
}

const endpoints = new Map<string, Endpoint>(
  Object.values(catalogue).flatMap((role) => Object.entries<Endpoint>(role)),
)

describe.each([...endpoints])('%s', (name, endpoint) => {
  test('has a case for each status that it declares', () => {
    expect(Object.keys(cases[name] ?? {}).map(Number)).toEqual([200, ...endpoint.errors])
  })

  test.each(Object.entries(cases[name] ?? {}))('answers %s', async (status, make) => {
    const target = make === exhausted ? limited : host
    const answer = await ask(target, endpoint, await make())
    expect(answer.status).toBe(Number(status))
    const body = await answer.json()
    expect(v.is(answer.status === 200 ? endpoint.result : problemBody, body)).toBe(true)
  })
})

test('every role is in the catalogue, under its base path', () => {
  expect(Object.keys(catalogue)).toEqual(Object.keys(hosts))
  for (const [role, endpointsOf] of Object.entries(catalogue)) {
    for (const endpoint of Object.values<Endpoint>(endpointsOf)) {
      const basePath = endpoint.path === '/v1/healthz' ? '/v1' : hosts[role as Role].basePath
      expect(endpoint.path.startsWith(`${basePath}/`)).toBe(true)
    }
  }
})
