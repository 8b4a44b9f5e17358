import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '#shared/contract/catalogue.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { type Host, startHost } from '../../../../support/host.ts'

const shop = 'https://shop.example'
let host: Host
let open: Host
let closed: Host
beforeAll(async () => {
  host = await startHost({ site: { corsOrigins: [shop] } })
  open = await startHost({ site: { corsOrigins: ['*'] } })
  closed = await startHost()
})
afterAll(async () => {
  for (const each of [host, open, closed]) await each.close()
})

const from = (origin: string) => ({ headers: { origin } })
const preflight = (origin: string, method: string) => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': method },
})
const health = new Set(['/v1/healthz', '/v1/readyz'])
const own = ({ path }: Endpoint) => !health.has(path)
const endpoints = Object.entries(catalogue).flatMap(([role, each]) =>
  Object.values<Endpoint>(each).map((endpoint) => ({ role, endpoint })),
)
const forServers = endpoints.filter(
  ({ role, endpoint }) => own(endpoint) && ['configuration', 'security'].includes(role),
)
const forPages = endpoints.filter(
  ({ role, endpoint }) => own(endpoint) && !['configuration', 'security'].includes(role),
)

describe('the analysis roles and verify', () => {
  test.each(forPages)(
    '$endpoint.method $endpoint.path may be called by the configured pages',
    async ({ endpoint }) => {
      const { path, method } = endpoint
      const answer = await host.fetch(path, preflight(shop, method))
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe(shop)
      expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
      expect(answer.headers.get('access-control-allow-headers')).toBe(
        'Authorization, Content-Type, Idempotency-Key',
      )
      expect(answer.headers.get('access-control-max-age')).toBe('600')
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
      expect(answer.headers.get('vary')).toBe('Origin')
      const other = await host.fetch(path, preflight('https://evil.example', method))
      expect(other.headers.get('access-control-allow-origin')).toBeNull()
      expect(other.headers.get('vary')).toBe('Origin')
    },
  )

  test('let those pages read failures too', async () => {
    const { status, headers } = await host.fetch('/v1/collection/get-all', from(shop))
    expect(status).toBe(401)
    expect(headers.get('access-control-allow-origin')).toBe(shop)
    expect(headers.get('access-control-expose-headers')).toBe(
      'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Selfsame-Ignored',
    )
    expect(headers.get('vary')).toBe('Origin')
  })

  test('grant nothing to others, and nothing by default', async () => {
    for (const [target, origin] of [
      [host, 'https://evil.example'],
      [host, 'null'],
      [host, `${shop}.evil.example`],
      [closed, shop],
    ] as const) {
      const { headers } = await target.fetch('/v1/collection/get-all', from(origin))
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('vary')).toBe('Origin')
    }
  })

  test('answer every page if * is set, each by its origin', async () => {
    const { headers } = await open.fetch('/v1/collection/get-all', from('https://any.example'))
    expect(headers.get('access-control-allow-origin')).toBe('https://any.example')
    const withoutOrigin = await open.fetch('/v1/collection/get-all')
    expect(withoutOrigin.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('the configuration and security roles', () => {
  test.each(forServers)('$endpoint.method $endpoint.path is for servers only', async ({ endpoint }) => {
    const answer = await open.fetch(endpoint.path, preflight(shop, endpoint.method))
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(answer.headers.get('access-control-allow-methods')).toBeNull()
    const called = await open.fetch(endpoint.path, { ...from(shop), method: endpoint.method })
    expect(called.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test.each(['/v1/healthz', '/v1/readyz', '/.well-known/jwks.json', '/openapi.json'])(
  '%s may be read by any page',
  async (path) => {
    const { headers } = await closed.fetch(path, from('https://any.example'))
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  },
)
