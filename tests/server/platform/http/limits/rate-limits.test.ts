import { afterEach, describe, expect, test } from 'vitest'
import { networkOf } from '#server/platform/http/limits/network.ts'
import type { RateLimitSettings } from '#server/platform/http/limits/rate-limits.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createSharedRateCounter } from '#server/platform/store/shared-rate-counter.ts'
import { beginProvider, finishProvider } from '#shared/contract/console/openid.ts'
import { newVisitor } from '../../../../support/console-visitor.ts'
import { createFakeAnalysis } from '../../../../support/drawn/fake-analysis.ts'
import { fakeJpeg } from '../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { bytesOf } from '../../../../support/upload.ts'
import { newVerification, signedQuery } from '../../../../support/visit.ts'

const open: Host[] = []
afterEach(async () => {
  for (const host of open.splice(0)) await host.close()
})

async function limited(limits: Partial<RateLimitSettings>, trustedProxies = 0): Promise<Host> {
  const host = await startHost({ limits, site: { trustedProxies } })
  open.push(host)
  return host
}

const as = (apiKey: string) => ({ headers: { authorization: `ApiKey ${apiKey}` } })
const utcNow = '/v1/datetime/utc-now'

describe('a limit for each key', () => {
  test('shows the remainder on every answer, and answers 429 beyond', async () => {
    const host = await limited({ requests: 2 })
    const answers = []
    for (let i = 0; i < 3; i++) answers.push(await host.fetch(utcNow, as(host.apiKey)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers.map(({ headers }) => headers.get('ratelimit'))).toEqual([
      '"requests";r=1;t=60',
      expect.stringMatching(/^"requests";r=0;t=(59|60)$/),
      expect.stringMatching(/^"requests";r=0;t=(59|60)$/),
    ])
    expect(answers[0]!.headers.get('ratelimit-policy')).toBe('"requests";q=2;w=60')
    expect(answers[0]!.headers.get('retry-after')).toBeNull()
    expect(answers[2]!.headers.get('retry-after')).toMatch(/^(59|60)$/)
    expect(await answers[2]!.json()).toMatchObject({ status: 429, code: 'too_many_requests' })
  })

  test('ends after a minute', async () => {
    const host = await limited({ requests: 1 })
    const ask = async () => (await host.fetch(utcNow, as(host.apiKey))).status
    expect([await ask(), await ask()]).toEqual([200, 429])
    host.pass(58_000)
    expect(await ask()).toBe(429)
    host.pass(2_000)
    expect(await ask()).toBe(200)
  })

  test('does not affect another key, and holds for the bearers of a key together', async () => {
    const host = await limited({ requests: 2 })
    const { apiKey: other } = await host.services.accounts.keys.create(host.accountId, 'b', ['configure'])
    const { token } = await (await host.fetch('/v1/token/get', as(host.apiKey))).json()
    const bearer = { headers: { authorization: `Bearer ${token}` } }
    expect((await host.fetch(utcNow, bearer)).status).toBe(200)
    expect((await host.fetch(utcNow, bearer)).status).toBe(429)
    expect((await host.fetch(utcNow, as(host.apiKey))).status).toBe(429)
    expect((await host.fetch(utcNow, as(other))).status).toBe(200)
  })

  test.each([
    ['/v1/face-verification/compare-face-embeddings'],
    ['/v1/face/search'],
    ['/api/v1/verify/verify-duplicate'],
    ['/v1/liveness-detection/detect'],
  ])('is separate for analyses: %s', async (path) => {
    const host = await limited({ analyses: 1 })
    const headers = { ...as(host.apiKey).headers, 'content-type': 'application/json' }
    const ask = () => host.fetch(path, { method: 'POST', headers, body: '{}' })
    const first = await ask()
    expect([first.status, first.headers.get('ratelimit')]).toEqual([400, '"analyses";r=0;t=60'])
    expect((await ask()).status).toBe(429)
    expect((await host.fetch(utcNow, as(host.apiKey))).status).toBe(200)
  })

  test('counts a picture of many faces as several, and delays the next one', async () => {
    const crowd = createFakeAnalysis()
    const analyse: typeof crowd.analyse = async (picture, wanted, request) => {
      const found = await crowd.analyse(picture, wanted, request)
      return { ...found, faces: Array(11).fill(found.face) }
    }
    const host = await startHost({ limits: { analyses: 3 }, ports: { analysis: { ...crowd, analyse } } })
    open.push(host)
    const headers = { ...as(host.apiKey).headers, 'content-type': 'application/json' }
    const body = JSON.stringify({ image: bytesOf(fakeJpeg({ person: 'anna' })), maxFaceCount: 100 })
    const ask = () => host.fetch('/v1/face-verification/detect-faces', { method: 'POST', headers, body })
    const first = await ask()
    expect([first.status, first.headers.get('ratelimit')]).toEqual([200, '"analyses";r=0;t=60'])
    expect((await ask()).status).toBe(429)
  })

  test('counts the picture of create-session as an analysis, and analyses none beyond', async () => {
    const host = await limited({ analyses: 1, requests: 4 })
    const headers = { ...as(host.apiKey).headers, 'content-type': 'application/json' }
    const verifierConfigs = { reference: { type: 'Verification' } }
    const referenceImage = bytesOf(fakeJpeg({ person: 'anna' }))
    const ask = (body: unknown, more = {}) =>
      host.fetch('/v1/verification/create-session', {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify(body),
      })
    const once = { 'idempotency-key': 'order-7' }
    const first = await ask({ verifierConfigs, referenceImage }, once)
    expect([first.status, first.headers.get('ratelimit')]).toEqual([200, '"analyses";r=0;t=60'])
    expect((await ask({ verifierConfigs, referenceImage }, once)).status).toBe(200)
    const beyond = await ask({ verifierConfigs, referenceImage })
    expect([beyond.status, beyond.headers.get('ratelimit-policy')]).toEqual([429, '"analyses";q=1;w=60'])
    expect(host.analysis.calls).toBe(1)
    const without = await ask({ verifierConfigs: {} })
    expect([without.status, without.headers.get('ratelimit')]).toEqual([
      200,
      expect.stringMatching(/^"requests";r=0;t=(59|60)$/),
    ])
  })

  test('counts a large picture of create-session as several analyses, not as several requests', async () => {
    const usual = createFakeAnalysis()
    const analyse: typeof usual.analyse = async (...asked) => ({
      ...(await usual.analyse(...asked)),
      width: 4000,
      height: 5000,
    })
    const host = await startHost({
      limits: { analyses: 5, requests: 5 },
      ports: { analysis: { ...usual, analyse } },
    })
    open.push(host)
    const headers = { ...as(host.apiKey).headers, 'content-type': 'application/json' }
    const referenceImage = bytesOf(fakeJpeg({ person: 'anna' }))
    const verifierConfigs = { reference: { type: 'Verification' } }
    const body = JSON.stringify({ verifierConfigs, referenceImage })
    const answer = await host.fetch('/v1/verification/create-session', { method: 'POST', headers, body })
    expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, '"analyses";r=2;t=60'])
    const { headers: next } = await host.fetch(utcNow, as(host.apiKey))
    expect(next.get('ratelimit')).toMatch(/^"requests";r=3;/)
  })

  test('counts only authenticated callers, before any of the body is read', async () => {
    const host = await limited({ requests: 1 })
    for (let i = 0; i < 3; i++) expect((await host.fetch(utcNow)).status).toBe(401)
    expect((await host.fetch(utcNow, as(host.apiKey))).status).toBe(200)
    const headers = { ...as(host.apiKey).headers, 'content-type': 'text/plain' }
    const answer = await host.fetch('/v1/signature/create', { method: 'POST', headers, body: 'x' })
    expect(answer.status).toBe(429)
  })

  test('is not on answers without a limit', async () => {
    const host = await limited({})
    expect((await host.fetch(utcNow, as(host.apiKey))).headers.get('ratelimit')).toBeNull()
  })
})

describe('links that an address opens', () => {
  test('are limited for each address', async () => {
    const host = await limited({ inits: 2 }, 1)
    const verificationId = await newVerification(host)
    const body = JSON.stringify({ verificationId, queryString: await signedQuery(host, '') })
    const init = async (address: string) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
      const answer = await host.fetch('/v1/verification/init-redirect-session', {
        method: 'POST',
        headers,
        body,
      })
      return answer.status
    }
    expect([await init('192.0.2.1'), await init('192.0.2.1'), await init('192.0.2.1')]).toEqual([
      200, 200, 429,
    ])
    expect(await init('192.0.2.2')).toBe(200)
  })

  test('count like sign-ins at the provider, which are limited for each', async () => {
    for (const endpoint of [beginProvider, finishProvider]) {
      const visitor = newVisitor(await limited({ inits: 1 }))
      expect((await visitor.ask(endpoint, {})).status).not.toBe(429)
      expect((await visitor.ask(endpoint, {})).status).toBe(429)
    }
  })
})

describe('wrong credentials', () => {
  const guess = async (host: Host, authorization: string, address = '192.0.2.1') => {
    const answer = await host.fetch(utcNow, { headers: { authorization, 'x-forwarded-for': address } })
    return answer.status
  }

  test('are limited for each address, and then affect the right one too', async () => {
    const host = await limited({ failedLogins: 2 }, 1)
    expect(await guess(host, 'ApiKey wrong')).toBe(401)
    expect(await guess(host, `ApiKey ${host.apiKey}`)).toBe(200)
    expect(await guess(host, 'Bearer wrong')).toBe(401)
    expect(await guess(host, 'ApiKey wrong')).toBe(429)
    expect(await guess(host, `ApiKey ${host.apiKey}`)).toBe(429)
    expect(await guess(host, `ApiKey ${host.apiKey}`, '192.0.2.2')).toBe(200)
    host.pass(60_000)
    expect(await guess(host, `ApiKey ${host.apiKey}`)).toBe(200)
  })

  test('are counted for a whole /64 of IPv6', async () => {
    const host = await limited({ failedLogins: 1 }, 1)
    expect(await guess(host, 'ApiKey wrong', '2001:db8:1:2::1')).toBe(401)
    expect(await guess(host, 'ApiKey wrong', '2001:db8:1:2:ffff::9')).toBe(429)
    expect(await guess(host, 'ApiKey wrong', '2001:db8:1:3::1')).toBe(401)
  })

  test('are not counted if none was given', async () => {
    const host = await limited({ failedLogins: 1 })
    for (let i = 0; i < 3; i++) expect((await host.fetch(utcNow)).status).toBe(401)
  })
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['nonsense', 'nonsense'],
])('%s is counted under %s', (address, network) => expect(networkOf(address)).toBe(network))

describe('the counter', () => {
  test('opens a window at the first use, and forgets the oldest if there are too many', async () => {
    let now = 0
    const clock = () => now
    const store = createMemoryStore(clock)
    const counter = createSharedRateCounter({ store, now: clock, onFailure: () => undefined, keysAtMost: 2 })
    await counter.add('a', 60)
    now = 30_000
    expect(await counter.add('a', 60)).toEqual({ count: 2, resetsInSeconds: 30 })
    await counter.add('b', 60)
    await counter.add('c', 60)
    expect(await counter.peek('a', 60)).toEqual({ count: 0, resetsInSeconds: 60 })
    expect((await counter.peek('b', 60)).count).toBe(1)
    expect((await counter.peek('c', 60)).count).toBe(1)
    now = 90_000
    expect((await counter.peek('c', 60)).count).toBe(0)
  })
})
