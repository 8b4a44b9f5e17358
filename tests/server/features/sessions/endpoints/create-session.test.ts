import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteVerification } from '#shared/contract/configuration/verification.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { getSession } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { readLink } from '#web/capture/flow/link.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { startReceiver } from '../../../../support/programs/receiver.ts'
import { newVerification, problemOf, resultOf, step, submit, visit } from '../../../../support/visit.ts'

const anna = { person: 'anna' }
const bert = { person: 'bert' }

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const create = async (body: unknown, on: Host = host, credential = {}) => {
  const created = await on.call(createSession, { body, ...credential } as never)
  return { ...created, bearer: created.sessionToken }
}
const refusal = (body: unknown, credential = {}) => problemOf(create(body, host, credential))

describe('POST /v1/verification/create-session', () => {
  test('returns what a page needs, and its address', async () => {
    const verificationId = await newVerification(host, {
      verifierConfigs: { liveness: { type: 'Verification' }, gender: { type: 'CalculationOnly' } },
    })
    const created = await create({ verificationId })
    expect(Object.keys(created).sort()).toEqual([
      'bearer',
      'capturePlan',
      'captureUrl',
      'expirationUtcTime',
      'sessionToken',
      'verificationSessionId',
    ])
    expect(created.capturePlan).toMatchObject({
      verifiers: { liveness: true, age: false, gender: true, faceRecognition: false, emotion: false },
      challenge: { type: 'Balanced', actionCount: 1 },
      locale: null,
    })
    const minutesLeft = (Date.parse(created.expirationUtcTime) - host.now()) / 60_000
    expect(Math.round(minutesLeft)).toBe(15)
  })

  test('returns a captureUrl that the page understands, with the token in the fragment', async () => {
    const { captureUrl, verificationSessionId, sessionToken } = await create({ verifierConfigs: {} })
    const address = new URL(captureUrl)
    expect(address.origin).toBe(host.origin)
    expect(address.search).toBe('')
    expect(readLink(address)).toEqual({
      kind: 'session',
      sessionId: verificationSessionId,
      token: sessionToken,
    })
    const found = await host.call(getSession, { bearer: address.hash.slice(1) })
    expect(found.state).toBe('Created')
  })

  test('follows the verification, and returns its inputs', async () => {
    const verificationId = await newVerification(host, {
      redirectConfig: { passedUrl: 'https://shop.example/own' },
      resultParameterConfig: { includeCorrelationId: true, includeCustomInputParameters: true },
    })
    const created = await create({
      verificationId,
      correlationId: 'order 7',
      customInputParameters: { basket: '42', ref: 'ä&b' },
    })
    const { redirectUrl } = await submit(host, created, anna)
    expect(redirectUrl).toBe('https://shop.example/own?reCorrelationId=order%207&basket=42&ref=%C3%A4%26b')
    expect(await resultOf(host, created)).toMatchObject({
      correlationId: 'order 7',
      customInputParameters: { basket: '42', ref: 'ä&b' },
    })
  })

  test('accepts a bearer', async () => {
    const { token } = await host.call(getToken, { query: {} })
    const bare = await create({ verifierConfigs: {} }, host, { bearer: token })
    expect((await submit(host, bare, anna)).verificationResult).toBe('Pass')
  })

  test.each([
    ['nothing', {}, '#/verificationId'],
    ['null for a verification', { verificationId: null }, '#/verificationId'],
    ['null for verifiers', { verifierConfigs: null }, '#/verifierConfigs'],
    ['null for an address', { verifierConfigs: {}, passedUrl: null }, '#/passedUrl'],
    ['an empty id', { verificationId: '' }, '#/verificationId'],
    ['a list of verifiers', { verifierConfigs: [] }, '#/verifierConfigs'],
    [
      'an unknown verifier type',
      { verifierConfigs: { age: { type: 'Guess' } } },
      '#/verifierConfigs/age/type',
    ],
    [
      'a threshold without a threshold',
      { verifierConfigs: { age: { type: 'ThresholdVerification' } } },
      '#/verifierConfigs/age/thresholdConfig',
    ],
    ['an unsafe address', { verifierConfigs: {}, passedUrl: 'http://a.example' }, '#/passedUrl'],
    ['another unsafe address', { verifierConfigs: {}, failedUrl: 'javascript:alert(1)' }, '#/failedUrl'],
    ['an empty external id', { verifierConfigs: {}, externalId: '' }, '#/externalId'],
    ['a long external id', { verifierConfigs: {}, externalId: 'x'.repeat(513) }, '#/externalId'],
    ['a long correlation id', { verifierConfigs: {}, correlationId: 'x'.repeat(513) }, '#/correlationId'],
    [
      'a reserved name',
      { verifierConfigs: {}, customInputParameters: { reAge: '18' } },
      '#/customInputParameters/reAge',
    ],
    [
      'a parameter without a name',
      { verifierConfigs: {}, customInputParameters: { '': 'x' } },
      '#/customInputParameters/',
    ],
    [
      'a parameter that is a number',
      { verifierConfigs: {}, customInputParameters: { a: 1 } },
      '#/customInputParameters/a',
    ],
    [
      'a list of parameters',
      { verifierConfigs: {}, customInputParameters: ['a'] },
      '#/customInputParameters',
    ],
    [
      'too many parameters',
      { verifierConfigs: {}, customInputParameters: { a: 'x'.repeat(8191) } },
      '#/customInputParameters',
    ],
    [
      'recognition without a collection',
      { verifierConfigs: { faceRecognition: { type: 'CalculationOnly' } } },
      '#/collectionId',
    ],
  ])('refuses %s', async (_name, body, pointer) => {
    await expect(create(body)).rejects.toMatchObject({ code: 'invalid_request', errors: [{ pointer }] })
  })

  test('accepts 512 characters of an id, and 8192 of parameters', async () => {
    const id = 'x'.repeat(512)
    const customInputParameters = { a: 'x'.repeat(8190) }
    await create({ verifierConfigs: {}, externalId: id, correlationId: id, customInputParameters })
  })

  test('answers 404 to a verification or a collection that is unknown, deleted or of another account', async () => {
    const { apiKey } = await host.services.accounts.create('Another')
    const verificationId = await newVerification(host)
    expect(await refusal({ verificationId: 'x' })).toBe('not_found')
    expect(await refusal({ verificationId }, { apiKey })).toBe('not_found')
    expect(await refusal({ verifierConfigs: {}, collectionId: 'x' })).toBe('not_found')
    expect(await refusal({ verifierConfigs: {}, collectionId: verificationId }, { apiKey })).toBe('not_found')
    await host.call(deleteVerification, { query: { verificationId } })
    expect(await refusal({ verificationId })).toBe('not_found')
  })
})

describe('overrides of a verification', () => {
  const config: VerificationConfig = {
    verifierConfigs: { liveness: { type: 'Verification' }, age: { type: 'CalculationOnly' } },
    redirectConfig: { passedUrl: 'https://shop.example/own', failedUrl: 'https://shop.example/failed' },
  }
  const overrides = [
    ['verifierConfigs', { liveness: { type: 'Disabled' }, gender: {} }, 'allowVerifierOverrides'],
    ['passedUrl', 'https://shop.example/other', 'allowRedirectOverrides'],
    ['failedUrl', 'https://shop.example/other', 'allowRedirectOverrides'],
  ] as const

  test.each(overrides)('%s is a 403 unless allowed', async (name, value, flag) => {
    const verificationId = await newVerification(host, config)
    expect(await refusal({ verificationId, [name]: value })).toBe('forbidden')
    const others = {
      allowVerifierOverrides: true,
      allowResultParameterOverrides: true,
      allowRedirectOverrides: true,
    }
    const lacking = await newVerification(host, {
      ...config,
      sessionOverrideConfig: { ...others, [flag]: false },
    })
    expect(await refusal({ verificationId: lacking, [name]: value })).toBe('forbidden')
    const allowed = await newVerification(host, { ...config, sessionOverrideConfig: { [flag]: true } })
    expect(await refusal({ verificationId: allowed, [name]: value })).toBe('no problem')
  })

  test('replace the named verifiers, and the addresses', async () => {
    const verificationId = await newVerification(host, {
      ...config,
      sessionOverrideConfig: { allowVerifierOverrides: true, allowRedirectOverrides: true },
    })
    const created = await create({
      verificationId,
      verifierConfigs: { liveness: { type: 'Disabled' } },
      passedUrl: 'https://shop.example/other',
    })
    expect(created.capturePlan.verifiers).toMatchObject({ liveness: false, age: true })
    expect((await submit(host, created, anna)).redirectUrl).toBe('https://shop.example/other')
  })
})

describe('an ad hoc session', () => {
  test('is judged by its own verifiers, and returns to its own addresses without parameters', async () => {
    const created = await create({
      verifierConfigs: { liveness: { type: 'Verification', challengeType: 'Advanced' } },
      correlationId: '1',
      passedUrl: 'https://shop.example/passed?x=1#y',
      failedUrl: 'https://shop.example/failed',
    })
    expect(created.capturePlan.challenge).toEqual({ type: 'Advanced', actionCount: 3 })
    await step(host, created, 0, anna)
    expect(await submit(host, created, anna)).toEqual({
      verificationResult: 'Fail',
      redirectUrl: 'https://shop.example/failed',
    })
    expect(await resultOf(host, created)).toMatchObject({
      verificationFailedReasons: ['challengeFailed', 'evidenceMissing'],
      correlationId: '1',
    })
  })

  test('has no address if none is given', async () => {
    const created = await create({ verifierConfigs: {} })
    expect(await submit(host, created, anna)).toEqual({ verificationResult: 'Pass', redirectUrl: null })
  })

  test('expires as every session does', async () => {
    const created = await create({ verifierConfigs: {} })
    host.pass(15 * 60_000)
    expect((await resultOf(host, created)).verificationFailedReasons).toEqual(['sessionExpired'])
  })
})

describe('the collection of a session', () => {
  const unique = { faceRecognition: { type: 'DuplicateVerification' } } as const
  const match = { faceRecognition: { type: 'MatchVerification' } } as const

  test('is the verification’s own, shared with its links', async () => {
    const verificationId = await newVerification(host, { verifierConfigs: unique })
    await visit(host, verificationId, anna)
    const created = await create({ verificationId })
    expect((await submit(host, created, anna)).verificationResult).toBe('Fail')
    expect((await resultOf(host, created)).verificationFailedReasons).toEqual(['duplicateFace'])
  })

  test('is the named one, even without a verification', async () => {
    const collectionId = await newVerification(host)
    const other = await newVerification(host, { verifierConfigs: unique })
    const results = []
    for (const body of [
      { verificationId: other, collectionId },
      { verifierConfigs: unique, collectionId },
    ]) {
      results.push((await submit(host, await create(body), bert)).verificationResult)
    }
    expect(results).toEqual(['Pass', 'Fail'])
    expect((await visit(host, other, bert)).submitted.verificationResult).toBe('Pass')
  })

  test('compares with the face of the external id', async () => {
    const verificationId = await newVerification(host, { verifierConfigs: match })
    const visitAs = async (externalId: string | undefined, scene: { person: string }) => {
      const created = await create({ verificationId, externalId })
      await submit(host, created, scene)
      return (await resultOf(host, created)).verificationFailedReasons
    }
    expect(await visitAs('u1', anna)).toEqual([])
    expect(await visitAs('u1', anna)).toEqual([])
    expect(await visitAs('u1', bert)).toEqual(['faceMismatch'])
    expect(await visitAs(undefined, bert)).toEqual(['externalIdMissing'])
  })
})

test('the webhook of the verification is sent for a created session, and none for an ad hoc one', async () => {
  const receiver = await startReceiver()
  const webhookConfig = { eventCallbackUrl: receiver.address }
  const created = await create({ verificationId: await newVerification(host, { webhookConfig }) })
  await submit(host, created, anna)
  await submit(host, await create({ verifierConfigs: {} }), anna)
  await host.services.deliveries.settle()
  expect(receiver.received.map(({ body }) => JSON.parse(body).verificationSessionId)).toEqual([
    created.verificationSessionId,
  ])
  receiver.close()
})

test('failed sessions are counted for the external id, and not for the integrator’s address', async () => {
  const limited = await startHost({ ports: { attemptLimit: 2 } })
  const fail = async (externalId: string) => {
    const created = await create({ verifierConfigs: {}, externalId }, limited)
    await submit(limited, created, { person: null })
  }
  await fail('u1')
  await fail('u1')
  await expect(create({ verifierConfigs: {}, externalId: 'u1' }, limited)).rejects.toMatchObject({
    code: 'too_many_requests',
    retryAfterInSeconds: expect.any(Number),
  })
  await fail('u2')
  await create({ verifierConfigs: {} }, limited)
  limited.pass(3600_000)
  await create({ verifierConfigs: {}, externalId: 'u1' }, limited)
  await limited.close()
})
