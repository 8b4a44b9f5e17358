import { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSecret } from '#server/features/operators/operator-store.ts'
import { createSignedTokens } from '#server/features/tokens/signed-tokens.ts'
import { createTokenKeys } from '#server/features/tokens/token-keys.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createTable } from '#server/platform/store/tables.ts'
import { createKey } from '#shared/contract/account/account.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import { getAllVerifications } from '#shared/contract/configuration/verification.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import { getSession } from '#shared/contract/sessions/session.ts'
import { type Endpoint, scopesFor } from '#shared/endpoint.ts'
import { type Host, startHost } from '../support/host.ts'
import { newVerification, openSession, problemOf } from '../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const endpoints = [...new Set(Object.values(catalogue).flatMap((role) => Object.values(role) as Endpoint[]))]

/** An endpoint's status for a request that carries only a credential. */
async function statusOf(endpoint: Endpoint, authorization: string | undefined): Promise<number> {
  const answer = await host.fetch(endpoint.path, {
    method: endpoint.method,
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    ...(endpoint.body && { body: '{}' }),
  })
  return answer.status
}

/** Authorised: if there is an error, it has nothing to do with the credential. */
const mayPass = (status: number) => status !== 401 && status !== 403

describe('GET /v1/token/get', () => {
  test.each([
    ['59', 'invalid_request'],
    ['60', 'no problem'],
    ['3600', 'no problem'],
    ['3601', 'invalid_request'],
    ['1e3', 'invalid_request'],
    ['', 'invalid_request'],
  ])('with expirationInSeconds=%s', async (value, code) => {
    expect(await problemOf(host.call(getToken, { query: { expirationInSeconds: value } }))).toBe(code)
  })

  test('lasts 900 seconds by default, and the token expires then', async () => {
    const wholeSecond = Math.floor(host.now() / 1000) * 1000
    const { token, expirationUtcTime } = await host.call(getToken, { query: {} })
    expect(Date.parse(expirationUtcTime)).toBeGreaterThanOrEqual(wholeSecond + 900_000)
    expect(Date.parse(expirationUtcTime)).toBeLessThanOrEqual(host.now() + 900_000)
    await host.call(getUtcNow, { bearer: token })
    host.pass(906_000)
    expect(await problemOf(host.call(getUtcNow, { bearer: token }))).toBe('unauthenticated')
  })

  test('gives the time that the token contains, to the millisecond', async () => {
    host.pass(1000 - (host.now() % 1000) + 437)
    const { token, expirationUtcTime } = await host.call(getToken, { query: {} })
    expect(Date.parse(expirationUtcTime) / 1000).toBe(decodeJwt(token).exp)
  })

  test('refuses bearers', async () => {
    const { token } = await host.call(getToken, { query: {} })
    expect(await problemOf(host.call(getToken, { query: {}, bearer: token }))).toBe('unauthenticated')
  })

  test('carries the documented claims, and never admin or tokens', async () => {
    const { token } = await host.call(getToken, { query: { scope: 'analyse' } })
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    expect(claims).toMatchObject({ iss: host.origin, aud: 'EU', sub: host.accountId, scope: 'analyse' })
    expect(claims.environment).toBe('live')
    const names = ['aud', 'environment', 'exp', 'iat', 'iss', 'jti', 'key', 'scope', 'sub']
    expect(Object.keys(claims).sort()).toEqual(names)
    expect(await problemOf(host.call(getToken, { query: { scope: 'admin' } }))).toBe('invalid_request')
    const { token: whole } = await host.call(getToken, { query: {} })
    expect(String(decodeJwt(whole).scope).split(' ').sort()).toEqual(['analyse', 'configure'])
  })

  test('grants no more than the key has', async () => {
    const { apiKey } = await host.services.accounts.keys.create(host.accountId, 'narrow', [
      'tokens',
      'analyse',
    ])
    const { token } = await host.call(getToken, { query: {}, apiKey })
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    expect(claims.scope).toBe('analyse')
    expect(await problemOf(host.call(getToken, { query: { scope: 'configure' }, apiKey }))).toBe('forbidden')
  })
})

describe('every route', () => {
  test.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s accepts the intended credentials, and no others',
    async (_name, endpoint) => {
      const { token } = await host.call(getToken, { query: {} })
      const session = await openSession(host, await newVerification(host))
      const keyWithout = await host.services.accounts.keys.create(host.accountId, 'none', [])
      const passes = async (authorization?: string) => mayPass(await statusOf(endpoint, authorization))
      const open = endpoint.auth === 'none'
      const account = endpoint.auth === 'key' || endpoint.auth === 'key-or-bearer'
      const isAnonymous = open && endpoint.body === undefined
      if (isAnonymous) expect(await statusOf(endpoint, undefined)).toBe(200)
      expect(await passes()).toBe(open)
      expect(await passes(`ApiKey ${host.apiKey}`)).toBe(open || account)
      // A review requires a key, because no bearer token has that scope.
      const isForBearers = endpoint.auth === 'key-or-bearer' && !scopesFor(endpoint).includes('review')
      expect(await passes(`Bearer ${token}`)).toBe(open || isForBearers)
      expect(await passes(`Bearer ${session.sessionToken}`)).toBe(open || endpoint.auth === 'session')
      expect(await passes(`ApiKey ${keyWithout.apiKey}`)).toBe(
        open || (account && scopesFor(endpoint).length === 0),
      )
      for (const wrong of [
        `ApiKey ${host.apiKey}x`,
        'ApiKey',
        `Basic ${host.apiKey}`,
        host.apiKey,
        'Bearer x.y.z',
      ]) {
        expect(await passes(wrong)).toBe(open)
      }
    },
  )

  test('refuses a revoked key and every bearer made with it', async () => {
    const { key, apiKey } = await host.services.accounts.keys.create(host.accountId, 'short', [
      'tokens',
      'configure',
    ])
    const { token } = await host.call(getToken, { query: {}, apiKey })
    await host.call(getUtcNow, { bearer: token })
    await host.services.accounts.keys.revoke(host.accountId, key.keyId)
    expect(await problemOf(host.call(getUtcNow, { apiKey }))).toBe('unauthenticated')
    expect(await problemOf(host.call(getUtcNow, { bearer: token }))).toBe('unauthenticated')
  })
})

test('a bearer loses the scopes that its key has lost', async () => {
  const { key, apiKey } = await host.services.accounts.keys.create(host.accountId, 'wide', [
    'tokens',
    'configure',
    'analyse',
  ])
  const { token } = await host.call(getToken, { query: {}, apiKey })
  await host.call(getAllVerifications, { bearer: token })
  const keys = createTable<typeof key>(host.store, 'api-key')
  await keys.put(host.accountId, key.keyId, { ...key, scopes: ['tokens', 'analyse'] })
  expect(await problemOf(host.call(getAllVerifications, { bearer: token }))).toBe('forbidden')
  await host.call(getUtcNow, { bearer: token })
})

describe('a forged token', () => {
  const now = () => Math.floor(host.now() / 1000)
  const claims = async () => {
    const key = (await host.services.accounts.find(host.accountId))!.primaryKeyId
    return {
      iss: host.origin,
      aud: 'EU',
      sub: host.accountId,
      jti: 'x',
      iat: now(),
      exp: now() + 600,
      key,
      scope: 'configure',
      environment: 'live',
    }
  }

  /** The server's own key, so that a forgery is wrong in just one way. */
  async function realKey() {
    const keyRing = createKeyRing(Buffer.alloc(32, 7), 'EU')
    return createTokenKeys(host.store, keyRing, host.now).current()
  }

  async function forge(header: Record<string, unknown>, changes: Record<string, unknown> = {}) {
    const key = await realKey()
    const payload = { ...(await claims()), ...changes }
    for (const [name, value] of Object.entries(payload))
      if (value === undefined) delete payload[name as never]
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })
      .sign(key.privateKey)
  }

  const isTaken = async (bearer: string) =>
    (await problemOf(host.call(getUtcNow, { bearer }))) === 'no problem'

  test.each(['test', 'LIVE', undefined])('of the environment %s is refused', async (environment) => {
    expect(await isTaken(await forge({}, { environment }))).toBe(false)
  })

  test('is accepted if it is valid, so that the rest proves something', async () => {
    expect(await isTaken(await forge({}))).toBe(true)
  })

  test.each([
    ['another type', { typ: 'session+jwt' }, {}],
    ['no type', { typ: undefined }, {}],
    ['an unknown key', { kid: 'other' }, {}],
    ['a key id that is a path', { kid: '../../dev/null' }, {}],
    ['no key id', { kid: undefined }, {}],
    ['a key set address', { jku: 'https://evil.example/jwks' }, {}],
    ['a certificate address', { x5u: 'https://evil.example/x' }, {}],
    ['a certificate', { x5c: ['MIIB'] }, {}],
    ['a header that must be understood', { crit: ['b64'], b64: true }, {}],
    ['no type that we know', { typ: 'JWT' }, {}],
    ['an expiry that is no number', {}, { exp: '9999999999' }],
    ['a time before which it does not count', {}, { nbf: 9999999999 }],
    ['another issuer', {}, { iss: 'https://evil.example' }],
    ['another region', {}, { aud: 'US' }],
    ['no subject', {}, { sub: undefined }],
    ['no token id', {}, { jti: undefined }],
    ['no time of issue', {}, { iat: undefined }],
    ['no expiry', {}, { exp: undefined }],
    ['an old expiry', {}, { exp: 1 }],
    ['no key', {}, { key: undefined }],
    ['no scope', {}, { scope: undefined }],
    ['another account', {}, { sub: 'other' }],
  ])('with %s is refused', async (_name, header, changes) => {
    expect(await isTaken(await forge(header, changes))).toBe(false)
  })

  test.each([
    [55, true],
    [65, false],
    [86_400, false],
  ])('that was issued in %s seconds is accepted: %s', async (seconds, taken) => {
    expect(await isTaken(await forge({}, { iat: now() + seconds, exp: now() + seconds + 600 }))).toBe(taken)
  })

  test('without a signature, or with one of another kind, is refused', async () => {
    const [head, body, signature] = (await forge({})).split('.') as [string, string, string]
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
    const jwk = (await host.services.tokenKeys.publicKeys()).keys[0]!
    const hmac = await new SignJWT(await claims())
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: jwk.kid! })
      .sign(new TextEncoder().encode(JSON.stringify(jwk)))
    const own = await generateKeyPair('ES256', { extractable: true })
    const embedded = await new SignJWT(await claims())
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: jwk.kid!, jwk: await exportJWK(own.publicKey) })
      .sign(own.privateKey)
    for (const token of [
      `${none}.${body}.`,
      `${head}.${body}.`,
      `${head}.${body}.${'A'.repeat(86)}`,
      hmac,
      embedded,
    ]) {
      expect(await isTaken(token)).toBe(false)
    }
    expect(signature).toHaveLength(86)
  })

  test("the published keys contain no private part, and verify the server's signatures", async () => {
    const { keys } = (await (await host.fetch('/.well-known/jwks.json')).json()) as {
      keys: Record<string, string>[]
    }
    for (const key of keys) expect(key).not.toHaveProperty('d')
    await importJWK(keys[0]!, 'ES256')
  })
})

describe('a session token', () => {
  test('reads its own session only', async () => {
    const verificationId = await newVerification(host)
    const [one, two] = [await openSession(host, verificationId), await openSession(host, verificationId)]
    const [, body] = two.sessionToken.split('.')
    const [head, , signature] = one.sessionToken.split('.')
    expect(await problemOf(host.call(getSession, { bearer: `${head}.${body}.${signature}` }))).toBe(
      'unauthenticated',
    )
    expect((await host.call(getSession, { bearer: one.sessionToken })).state).toBe('Created')
  })
})

test('tokens rotate with an overlap', async () => {
  let time = Date.now()
  const store = createMemoryStore(() => time)
  const keys = createTokenKeys(store, createKeyRing(Buffer.alloc(32, 1), 'EU'), () => time)
  const tokens = createSignedTokens({
    keys,
    region: 'EU',
    issuer: () => 'x',
    environmentOf: async () => 'live',
    now: () => time,
  })
  const claims = { accountId: 'a', keyId: 'k', scopes: ['analyse' as const] }
  const day = 24 * 3600_000
  time += 1
  await tokens.issueAccess(claims, time + 3600_000)
  time += 90 * day - 1000
  const old = await tokens.issueAccess(claims, time + 3600_000)
  time += 2000
  const fresh = await tokens.issueAccess(claims, time + 3600_000)
  expect(old.split('.')[0]).not.toBe(fresh.split('.')[0])
  expect(await tokens.readAccess(old)).toMatchObject(claims)
  expect((await keys.publicKeys()).keys).toHaveLength(2)
})

const made = 24

/** `newSecret` creates all sign-ins, invitations and their codes. */
const makers: readonly (readonly [string, () => Promise<string> | string])[] = [
  ['a key', async () => (await host.call(createKey, { body: { name: 'One of many', scopes: [] } })).apiKey],
  ['the first key of an account', async () => (await host.services.accounts.create('Another')).apiKey],
  ['the secret of a sign-in or an invitation', newSecret],
]

test.each(makers)('%s has 256 random bits', async (_what, make) => {
  const secrets: Buffer[] = []
  for (let i = 0; i < made; i++) secrets.push(Buffer.from(await make(), 'base64url'))
  for (const secret of secrets) expect(secret).toHaveLength(32)
  const places = Array.from({ length: 32 }, (_, place) => secrets.map((secret) => secret[place]))
  // A position is constant or a copy of another one by chance with a probability of 1 in 256 to the power of 23.
  for (const bytes of places) expect(new Set(bytes).size).toBeGreaterThan(1)
  expect(new Set(places.map(String)).size).toBe(32)
})
