import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignature, validateSignature } from '#shared/contract/configuration/signature.ts'
import { initRedirectSession } from '#shared/contract/sessions/session.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { newVerification, problemOf, signedQuery } from '../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const create = (body: unknown) => host.call(createSignature, { body } as never)
const validate = async (queryString: string) =>
  (await host.call(validateSignature, { body: { queryString } })).result
const secondsFromNow = (seconds: number) => Math.floor(host.now() / 1000) + seconds

describe('POST /v1/signature/create', () => {
  test.each([
    ['nothing', undefined, 86_400, false],
    ['an empty object', {}, 86_400, false],
    ['a lifetime of 1', { expirationInSeconds: 1 }, 1, false],
    ['a lifetime of 604800', { expirationInSeconds: 604_800 }, 604_800, false],
    ['a nonce', { enableNonce: true }, 86_400, true],
    [
      'a nonce and a lifetime',
      { enableNonce: true, expirationEnabled: true, expirationInSeconds: 60 },
      60,
      true,
    ],
    ['expiration off', { expirationEnabled: false }, undefined, false],
    ['expiration and nonce off', { expirationEnabled: false, enableNonce: false }, undefined, false],
    ['a whole lifetime with a point', { expirationInSeconds: 60.0 }, 60, false],
    ['a member that is unknown', { future: 1 }, 86_400, false],
  ])('with %s', async (_name, securitySettings, lifetime, hasNonce) => {
    const answer = await create({
      queryString: 'a=1',
      ...(securitySettings !== undefined && { securitySettings }),
    })
    const names = new URLSearchParams(answer.signedQueryString)
    expect([...names.keys()]).toEqual([
      'a',
      ...(lifetime === undefined ? [] : ['reExpiration']),
      ...(hasNonce ? ['reNonce'] : []),
      'reSignature',
    ])
    expect(answer.signature).toMatch(/^[0-9a-f]{64}$/)
    expect(names.get('reSignature')).toBe(answer.signature)
    if (lifetime === undefined) expect(answer).not.toHaveProperty('expiration')
    else expect(Math.abs(answer.expiration! - secondsFromNow(lifetime))).toBeLessThanOrEqual(1)
    expect('nonce' in answer).toBe(hasNonce)
    expect(await validate(answer.signedQueryString)).toBe('Valid')
  })

  test.each([
    [
      'a lifetime with expiration off',
      { expirationEnabled: false, expirationInSeconds: 60 },
      'expirationInSeconds',
    ],
    ['a nonce with expiration off', { expirationEnabled: false, enableNonce: true }, 'enableNonce'],
    ['a lifetime of 0', { expirationInSeconds: 0 }, 'expirationInSeconds'],
    ['a lifetime of -1', { expirationInSeconds: -1 }, 'expirationInSeconds'],
    ['a lifetime of 604801', { expirationInSeconds: 604_801 }, 'expirationInSeconds'],
    ['a lifetime of 1.5', { expirationInSeconds: 1.5 }, 'expirationInSeconds'],
    ['a lifetime in words', { expirationInSeconds: '60' }, 'expirationInSeconds'],
    ['a nonce in words', { enableNonce: 'true' }, 'enableNonce'],
    ['an expiration in words', { expirationEnabled: 'false' }, 'expirationEnabled'],
    ['a nonce by number', { enableNonce: 1 }, 'enableNonce'],
    ['a lifetime beyond every number', { expirationInSeconds: 1e300 }, 'expirationInSeconds'],
    ['a lifetime of yes', { expirationInSeconds: true }, 'expirationInSeconds'],
  ])('refuses %s', async (_name, securitySettings, field) => {
    await expect(create({ queryString: 'a=1', securitySettings })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: `#/securitySettings/${field}` }],
    })
  })

  test('names both rules that are broken', async () => {
    const securitySettings = { expirationEnabled: false, expirationInSeconds: 60, enableNonce: true }
    await expect(create({ queryString: '', securitySettings })).rejects.toMatchObject({
      errors: [
        { pointer: '#/securitySettings/expirationInSeconds' },
        { pointer: '#/securitySettings/enableNonce' },
      ],
    })
  })

  test.each([[[]], ['{}'], [true], [0]])('refuses %j for settings', async (securitySettings) => {
    await expect(create({ queryString: '', securitySettings })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '#/securitySettings' }],
    })
  })

  test.each([[null], [1], [['a=1']]])('refuses %j for a query string', async (queryString) => {
    await expect(create({ queryString })).rejects.toMatchObject({ errors: [{ pointer: '#/queryString' }] })
  })

  test.each([
    'a=1&reSignature=x',
    'reExpiration=1',
    'a&reNonce=1',
    '%72eSignature=1',
    'reAge=1',
    'reVerificationResult=passed',
    'a=1#b',
  ])('refuses the query %j', async (queryString) => {
    await expect(create({ queryString })).rejects.toMatchObject({ errors: [{ pointer: '#/queryString' }] })
  })

  test.each([
    ['a=\n1\t', 'a=1'],
    ['a=\u0000\u0001', 'a=%00%01'],
    ['a=\u007f\u0085', 'a=%7F%C2%85'],
    ['a=\ud800', 'a=%EF%BF%BD'],
    ['??a=1', 'a=1'],
    ['REAGE=1&resignature=2&ref=3', 'REAGE=1&resignature=2&ref=3'],
  ])('signs %j as a browser sends it', async (queryString, sent) => {
    const { signedQueryString } = await create({ queryString })
    expect(signedQueryString).toMatch(new RegExp(`^${sent}&reExpiration=`))
    expect(await validate(signedQueryString)).toBe('Valid')
    expect(await validate(new URL(`https://a.example/?${signedQueryString}`).search)).toBe('Valid')
  })

  test.each([
    ['securitySettings', 'enableNonce'],
    ['securitySettings', 'expirationEnabled'],
    ['securitySettings', 'expirationInSeconds'],
  ])('treats null for %s.%s as absent', async (settings, name) => {
    const { signedQueryString } = await create({ queryString: 'a=1', [settings]: { [name]: null } })
    expect(await validate(signedQueryString)).toBe('Valid')
  })

  test('refuses a query that is missing or too long', async () => {
    await expect(create({})).rejects.toMatchObject({
      errors: [{ pointer: '#/queryString', message: 'Is required.' }],
    })
    await expect(create({ queryString: 'a'.repeat(8193) })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test.each([
    ['', ''],
    ['?a=1', 'a=1'],
    ['??a=1', 'a=1'],
    ['a=b c', 'a=b%20c'],
    ['a=b+c', 'a=b+c'],
    ['a=%20', 'a=%20'],
    ['a=%zz', 'a=%zz'],
    ['a=%C3%A9&b=é', 'a=%C3%A9&b=%C3%A9'],
    [`a='"<>`, 'a=%27%22%3C%3E'],
    ['a=😀', 'a=%F0%9F%98%80'],
    ['a=\ud800', 'a=%EF%BF%BD'],
    ['b=2&a=1&b=1', 'b=2&a=1&b=1'],
    ['A=1&a=[]{}|\\^`', 'A=1&a=[]{}|\\^`'],
    ['a&&=&b=', 'a&&=&b='],
    ['ref=1&region=EU', 'ref=1&region=EU'],
    ['reUnknown=1', 'reUnknown=1'],
  ])('serialises %j as a browser does', async (queryString, canonical) => {
    const { signedQueryString } = await create({
      queryString,
      securitySettings: { expirationEnabled: false },
    })
    const signedPart = canonical === '' ? '' : `${canonical}&`
    expect(signedQueryString.startsWith(`${signedPart}reSignature=`)).toBe(true)
    expect(new URL(`https://a.example/?${signedQueryString}`).search).toBe(`?${signedQueryString}`)
    expect(await validate(signedQueryString)).toBe('Valid')
    expect(await validate(`?${signedQueryString}`)).toBe('Valid')
  })
})

describe('POST /v1/signature/validate', () => {
  const link = () => signedQuery(host, 'a=1&b=x%20y', { enableNonce: true })

  test.each([
    ['another value', (query: string) => query.replace('a=1', 'a=2')],
    ['another order', (query: string) => query.replace('a=1&b=x%20y', 'b=x%20y&a=1')],
    ['another escape', (query: string) => query.replace('%20', '+')],
    ['a later expiry', (query: string) => query.replace(/reExpiration=\d/, 'reExpiration=9')],
    ['another nonce', (query: string) => query.replace(/reNonce=.{4}/, 'reNonce=0000')],
    ['something appended', (query: string) => `${query}&c=3`],
    ['something before', (query: string) => `c=3&${query}`],
    [
      'a signature in capitals',
      (query: string) => query.replace(/[0-9a-f]{64}$/, (hex) => hex.toUpperCase()),
    ],
    ['a signature too short', (query: string) => query.slice(0, -1)],
    ['a signature too long', (query: string) => `${query}0`],
    ['no signature', (query: string) => query.replace(/&reSignature.*/, '')],
    ['two signatures', (query: string) => `${query}&${query.slice(query.indexOf('reSignature'))}`],
    ['an escaped name', (query: string) => query.replace('reSignature', '%72eSignature')],
    ['a name in another case', (query: string) => query.replace('reSignature', 'resignature')],
    [
      'the security names in another order',
      (query: string) => query.replace(/(reExpiration=\d+)&(reNonce=\w+)/, '$2&$1'),
    ],
    ['a second nonce', (query: string) => query.replace('&reNonce', '&reNonce=1&reNonce')],
  ])('answers Invalid for %s', async (_name, change) => {
    expect(await validate(change(await link()))).toBe('Invalid')
  })

  test('answers Invalid for an empty query, and refuses invalid query strings', async () => {
    expect(await validate('')).toBe('Invalid')
    expect(await problemOf(validate('a=1#b'))).toBe('invalid_request')
  })

  test('answers Expired after the time, before it checks the nonce', async () => {
    const verificationId = await newVerification(host)
    const queryString = await signedQuery(host, 'a=1', { enableNonce: true, expirationInSeconds: 60 })
    await host.call(initRedirectSession, { body: { verificationId, queryString } })
    expect(await validate(queryString)).toBe('NonceAlreadyUsed')
    host.pass(60_000)
    expect(await validate(queryString)).toBe('Expired')
    expect(await validate(queryString.replace('a=1', 'a=2'))).toBe('Invalid')
  })

  test('never consumes a nonce', async () => {
    const queryString = await link()
    for (let i = 0; i < 3; i++) expect(await validate(queryString)).toBe('Valid')
  })

  test('answers Invalid for the link of another account', async () => {
    const other = await startHost({ store: host.store })
    const queryString = await link()
    const answer = await other.call(validateSignature, { body: { queryString } })
    expect(answer.result).toBe('Invalid')
    await other.close()
  })
})
