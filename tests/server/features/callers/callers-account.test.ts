import { createHmac } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '#server/app/serving/compose.ts'
import {
  getAccount,
  rotateSigningKey,
  rotateWebhookSecret,
  updateAccount,
} from '#shared/contract/account/account.ts'
import { createSignature, validateSignature } from '#shared/contract/configuration/signature.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { initRedirectSession } from '#shared/contract/sessions/session.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { startReceiver } from '../../../support/programs/receiver.ts'
import { newVerification, openSession, problemOf, signedQuery, submit } from '../../../support/visit.ts'

const day = 24 * 3600_000
const live = { verifierConfigs: { liveness: { type: 'Verification' as const } } }

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const update = (body: Parameters<typeof host.call<typeof updateAccount>>[1]['body'], on = host) =>
  on.call(updateAccount, { body })

describe('PUT /v1/account/update', () => {
  test('leaves omitted members unchanged', async () => {
    const { account: before } = await host.call(getAccount, {})
    const { account: coloured } = await update({ accentColour: '#1a6b54' })
    const theme = { ...before.theme, accent: '#1a6b54' }
    expect(coloured).toEqual({ ...before, accentColour: '#1a6b54', theme })
    const { account: named } = await update({ name: 'Shop' })
    expect(named).toEqual({ ...coloured, name: 'Shop' })
    expect(await host.call(getAccount, {})).toEqual({ account: named })
    expect((await update({ accentColour: null })).account.accentColour).toBeNull()
  })

  test('does not touch another account', async () => {
    const { apiKey } = await host.services.accounts.create('Other')
    await update({ name: 'Mine' })
    expect((await host.call(getAccount, { apiKey })).account.name).toBe('Other')
  })

  test('name and colour reach the theme of the capture plan', async () => {
    await update({ name: 'Northwind', accentColour: '#abcdef' })
    const { capturePlan } = await openSession(host, await newVerification(host))
    expect(capturePlan.theme).toMatchObject({ accountName: 'Northwind', accentColour: '#abcdef' })
  })

  test('concurrent changes are all kept', async () => {
    const other = await startHost()
    await Promise.all([
      ...Array.from({ length: 8 }, () => other.services.accounts.keys.create(other.accountId, 'k', [])),
      update({ name: 'A' }, other),
      update({ accentColour: '#000000' }, other),
      update({ attemptLimit: 7 }, other),
      update({ embedOrigins: ['https://a.example'] }, other),
    ])
    expect((await other.call(getAccount, {})).account).toMatchObject({
      name: 'A',
      accentColour: '#000000',
      attemptLimit: 7,
      embedOrigins: ['https://a.example'],
    })
    await other.close()
  })
})

describe('the look of its pages', () => {
  test('treats accentColour and theme.accent as one value, whichever is set', async () => {
    const other = await startHost()
    const both = async () => {
      const { accentColour, theme } = (await other.call(getAccount, {})).account
      return [accentColour, theme.accent]
    }
    expect(await both()).toEqual([null, null])
    await update({ accentColour: '#112233' }, other)
    expect(await both()).toEqual(['#112233', '#112233'])
    await update({ theme: { accent: '#445566' } }, other)
    expect(await both()).toEqual(['#445566', '#445566'])
    await update({ theme: { accent: null }, accentColour: null }, other)
    expect(await both()).toEqual([null, null])
    await expect(
      update({ theme: { accent: '#000000' }, accentColour: '#ffffff' }, other),
    ).rejects.toMatchObject({
      errors: [{ pointer: '#/theme/accent' }],
    })
    await other.close()
  })

  test('changes only the sent members of a theme; name, help and theme reach the plan', async () => {
    const other = await startHost()
    const { account: before } = await other.call(getAccount, {})
    expect(before).toMatchObject({
      displayName: null,
      supportUrl: null,
      theme: { accent: null, radius: null, font: null, mode: null },
    })
    await update({ theme: { radius: 4, mode: 'dark' } }, other)
    await update({ theme: { font: 'serif', mode: null }, displayName: 'Our shop' }, other)
    const { account } = await update({ supportUrl: 'mailto:help@shop.example' }, other)
    expect(account.theme).toEqual({ accent: null, radius: 4, font: 'serif', mode: null })
    const { capturePlan } = await openSession(other, await newVerification(other))
    expect(capturePlan.theme).toEqual({
      accountName: 'Our shop',
      accentColour: null,
      logo: null,
      region: 'EU',
      supportUrl: 'mailto:help@shop.example',
      radius: 4,
      font: 'serif',
    })
    await other.close()
  })
})

describe('the attempts of an account', () => {
  async function failsUntilLimited(deployment: number | undefined, own: number | 'off' | null) {
    const limited = await startHost({ ports: { attemptLimit: deployment } })
    await update({ attemptLimit: own }, limited)
    const verificationId = await newVerification(limited, live)
    let failed = 0
    for (; failed < 4; failed++) {
      const opened = await openSession(limited, verificationId).catch(() => undefined)
      if (opened === undefined) break
      await submit(limited, opened, { person: 'anna' })
    }
    await limited.close()
    return failed
  }

  test.each([
    [undefined, null, 4],
    [undefined, 2, 2],
    [1, null, 1],
    [1, 3, 3],
    [1, 'off', 4],
    [3, 1, 1],
  ] as const)('with %s in the deployment and %s of its own, %i may fail', async (deployment, own, failed) => {
    expect(await failsUntilLimited(deployment, own)).toBe(failed)
  })
})

describe('the default scope of its bearers', () => {
  const scopeOf = async (on: Host, query = {}) => decodeJwt((await on.call(getToken, { query })).token).scope

  test.each([
    [null, 'analyse configure'],
    ['analyse', 'analyse'],
    ['configure', 'configure'],
    ['analyse configure', 'analyse configure'],
  ])(
    '%s gives an unrestricted bearer %s; a requested scope takes precedence',
    async (defaultTokenScope, scope) => {
      const other = await startHost()
      expect((await other.call(getAccount, {})).account.defaultTokenScope).toBeNull()
      expect((await update({ defaultTokenScope }, other)).account.defaultTokenScope).toBe(defaultTokenScope)
      expect(await scopeOf(other)).toBe(scope)
      expect(await scopeOf(other, { scope: 'configure' })).toBe('configure')
      const answer = await other.fetch('/api/v1/verify/get-token', { headers: { 'X-API-Key': other.apiKey } })
      expect(decodeJwt(await answer.text()).scope).toBe(scope)
      await other.close()
    },
  )

  test('gives no key what it lacks', async () => {
    const other = await startHost()
    await update({ defaultTokenScope: 'analyse' }, other)
    const { apiKey } = await other.services.accounts.keys.create(other.accountId, 'k', [
      'tokens',
      'configure',
    ])
    await expect(other.call(getToken, { query: {}, apiKey })).rejects.toMatchObject({ code: 'forbidden' })
    await other.close()
  })
})

describe('the origins that may frame its pages', () => {
  const files: Site['files'] = new Map([
    ['/index.html', { path: '', type: 'text/html', bytes: Buffer.from('<p>'), encodings: {} } as never],
  ])

  async function policyOf(framed: Host, path: string): Promise<string> {
    const answer = await framed.fetch(path)
    return /frame-ancestors (.*)$/.exec(answer.headers.get('content-security-policy') ?? '')?.[1] ?? 'absent'
  }

  test('are in the header of its entry pages, next to those of the deployment', async () => {
    const headers = { embedOrigins: ['https://all.example'], demo: false, https: false }
    const framed = await startHost({ site: { headers, files } })
    const verificationId = await newVerification(framed)
    expect(await policyOf(framed, `/verification/${verificationId}`)).toBe('https://all.example')
    await update({ embedOrigins: ['https://mine.example'] }, framed)
    const both = 'https://all.example https://mine.example'
    expect(await policyOf(framed, `/verification/${verificationId}`)).toBe(both)
    const { verificationSessionId } = await openSession(framed, verificationId)
    expect(await policyOf(framed, `/verification/session/${verificationSessionId}`)).toBe(both)
    expect(await policyOf(framed, '/verification/unknown')).toBe('https://all.example')
    const { apiKey } = await framed.services.accounts.create('Other')
    const { verificationId: others } = await framed.services.verifications.createVerification({
      query: undefined,
      body: { name: 'x', verificationConfig: {} },
      caller: {
        kind: 'account',
        accountId: (await framed.services.accounts.keys.authenticate(apiKey))!.accountId,
        keyId: '',
        scopes: ['configure'],
        via: 'key',
        address: '',
        signal: new AbortController().signal,
      },
    })
    expect(await policyOf(framed, `/verification/${others}`)).toBe('https://all.example')
    await framed.close()
  })
})

describe('POST /v1/account/rotate-signing-key', () => {
  const validate = async (on: Host, queryString: string) =>
    (await on.call(validateSignature, { body: { queryString } })).result
  const signForever = async (on: Host) =>
    (
      await on.call(createSignature, {
        body: { queryString: 'a=1', securitySettings: { expirationEnabled: false } },
      })
    ).signedQueryString

  test.each([
    [7 * day - 1000, 'Valid'],
    [7 * day + 1000, 'Invalid'],
  ])('after %i ms an earlier signed link is %s', async (milliseconds, expected) => {
    const own = await startHost()
    const before = await signForever(own)
    const { previousValidUntil } = await own.call(rotateSigningKey, { body: {} })
    expect(Date.parse(previousValidUntil) - own.now()).toBeGreaterThan(7 * day - 5000)
    const after = await signForever(own)
    expect(after).not.toBe(before)
    own.pass(milliseconds)
    expect([await validate(own, before), await validate(own, after)]).toEqual([expected, 'Valid'])
    await own.close()
  })

  test('opens sessions of links that were signed before', async () => {
    const own = await startHost()
    const verificationId = await newVerification(own)
    const queryString = await signedQuery(own, '')
    await own.call(rotateSigningKey, { body: {} })
    await own.call(initRedirectSession, { body: { verificationId, queryString } })
    await own.close()
  })

  test('a second rotation does not prolong the first key', async () => {
    const own = await startHost()
    const before = await signForever(own)
    await own.call(rotateSigningKey, { body: {} })
    own.pass(6 * day)
    await own.call(rotateSigningKey, { body: {} })
    own.pass(1 * day + 1000)
    expect(await validate(own, before)).toBe('Invalid')
    await own.close()
  })

  test('immediately: everything signed before is invalid at once', async () => {
    const own = await startHost()
    const verificationId = await newVerification(own)
    const queryString = await signedQuery(own, '')
    await own.call(rotateSigningKey, { body: { immediately: true } })
    expect(await validate(own, queryString)).toBe('Invalid')
    const opening = own.call(initRedirectSession, { body: { verificationId, queryString } })
    expect(await problemOf(opening)).toBe('signature_invalid')
    await own.close()
  })
})

describe('POST /v1/account/rotate-webhook-secret', () => {
  const keyOf = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64')

  /** The names of the secrets that signed a session's event. */
  async function signersOf(own: Host, secrets: Readonly<Record<string, string>>): Promise<string[]> {
    const receiver = await startReceiver()
    const webhookConfig = { eventCallbackUrl: receiver.address }
    const opened = await openSession(own, await newVerification(own, { webhookConfig }))
    await submit(own, opened, { person: 'anna' })
    await own.services.deliveries.settle()
    const { headers, body } = receiver.received[0]!
    receiver.close()
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const given = String(headers['webhook-signature']).split(' ')
    return given.map(
      (signature) =>
        Object.keys(secrets).find(
          (name) =>
            signature === `v1,${createHmac('sha256', keyOf(secrets[name]!)).update(signed).digest('base64')}`,
        ) ?? 'unknown',
    )
  }

  test('the secret has the form of Standard Webhooks, and both sign for a day', async () => {
    const own = await startHost()
    const rotate = async (body = {}) => (await own.call(rotateWebhookSecret, { body })).webhookSecret
    const first = await rotate({ immediately: true })
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await signersOf(own, { first })).toEqual(['first'])
    const second = await rotate()
    expect(await signersOf(own, { first, second })).toEqual(['second', 'first'])
    own.pass(day + 1000)
    expect(await signersOf(own, { first, second })).toEqual(['second'])
    const third = await rotate({ immediately: true })
    expect(await signersOf(own, { second, third })).toEqual(['third'])
    await own.close()
  })
})
