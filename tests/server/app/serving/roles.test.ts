import { describe, expect, test } from 'vitest'
import { catalogue } from '#shared/contract/catalogue.ts'
import { healthz, readyz } from '#shared/contract/health.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { hosts, type Role } from '#shared/hosts.ts'
import { startHost } from '../../../support/host.ts'

const roles = Object.keys(hosts) as Role[]
const endpointsOf = (role: Role) => new Set(Object.values<Endpoint>(catalogue[role]))
const everything = new Set(roles.flatMap((role) => [...endpointsOf(role)]))

/** Pages other than endpoints, and which role they require. */
const pages: readonly (readonly [string, Role])[] = [
  ['/', 'configuration'],
  ['/demo', 'configuration'],
  ['/.well-known/jwks.json', 'security'],
]

describe.each(roles)('the host of %s', (role) => {
  test('serves the endpoints of its role, and of no other', async () => {
    const host = await startHost({ roles: [role], demo: true })
    const served = endpointsOf(role)
    for (const endpoint of everything) {
      const { status } = await host.fetch(endpoint.path, { method: 'OPTIONS' })
      const isThere = [...served].some(({ path }) => path === endpoint.path)
      expect([endpoint.path, status]).toEqual([endpoint.path, isThere ? 204 : 404])
    }
    for (const [path, needed] of pages) {
      const { status } = await host.fetch(path)
      expect([path, status < 400]).toEqual([path, needed === role])
    }
    for (const shared of [healthz.path, readyz.path, '/swagger']) {
      expect([shared, (await host.fetch(shared)).status]).toEqual([shared, 200])
    }
    await host.close()
  })
})

test('the key goes in X-API-Key on verify, and only there', async () => {
  const host = await startHost()
  const headers = { 'x-api-key': host.apiKey }
  expect((await host.fetch('/api/v1/verify/get-token', { headers })).status).toBe(200)
  expect((await host.fetch('/v1/token/get', { headers })).status).toBe(401)
  await host.close()
})

describe('roles on separate hosts', () => {
  test('name the security role as the issuer of tokens', async () => {
    const issuer = () => 'https://tokens.example'
    const ports = { issuer, origin: () => 'https://pages.example' }
    const host = await startHost({ ports })
    const { token } = await (
      await host.fetch('/v1/token/get', { headers: { authorization: `ApiKey ${host.apiKey}` } })
    ).json()
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
    expect(claims.iss).toBe('https://tokens.example')
    const bearer = { headers: { authorization: `Bearer ${token}` } }
    expect((await host.fetch('/v1/datetime/utc-now', bearer)).status).toBe(200)
    await host.close()
  })
})

describe('GET /v1/readyz', () => {
  test.each([
    ['starting', 'The analysis is not warmed up yet.'],
    ['stopping', 'The server is stopping.'],
  ] as const)('is a 503 with the reason while %s', async (phase, detail) => {
    const host = await startHost({ ports: { phase: () => phase } })
    const answer = await host.fetch('/v1/readyz')
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('2')
    expect(await answer.json()).toMatchObject({ code: 'not_ready', detail })
    expect((await host.fetch('/v1/healthz')).status).toBe(200)
    await host.close()
  })

  test('is a 503 while the store does not answer', async () => {
    const host = await startHost()
    host.store.get = () => Promise.reject(new Error('gone'))
    const answer = await host.fetch('/v1/readyz')
    expect([answer.status, (await answer.json()).detail]).toEqual([503, 'The store does not answer.'])
    await host.close()
  })

  test('is a 503 while something else is wrong, in words', async () => {
    const troubles = ['The store refuses writes: File too large.', 'The clock is off.']
    const host = await startHost({ ports: { troubles: () => troubles } })
    const answer = await host.fetch('/v1/readyz')
    expect([answer.status, (await answer.json()).detail]).toEqual([503, troubles.join(' ')])
    await host.close()
  })

  test('is a 200 when everything is available', async () => {
    const host = await startHost()
    expect(await (await host.fetch('/v1/readyz')).json()).toEqual({ ready: true, unreadableCollections: 0 })
    await host.close()
  })
})
