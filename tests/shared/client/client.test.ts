import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fetch } from '#shared/call.ts'
import { createClient } from '#shared/client/client.ts'
import { imageOf } from '#shared/client/image.ts'
import { verifyWebhook } from '#shared/client/webhook.ts'
import type { Problem } from '#shared/problem.ts'
import { keepCollectingGarbage } from '../../support/collect-garbage.ts'
import { frameOf } from '../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../support/host.ts'
import { startReceiver } from '../../support/programs/receiver.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const clientOf = (more = {}) => createClient({ origin: host.origin, apiKey: host.apiKey, ...more })
const failing = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Problem) => error,
  )

/** A fetch with scripted answers and a counter. */
function scripted(
  ...answers: readonly { status: number; headers?: Record<string, string>; body?: string }[]
) {
  const asked: string[] = []
  const fetch: Fetch = async (address) => {
    const { status, headers = {}, body = '{}' } = answers[Math.min(asked.length, answers.length - 1)]!
    asked.push(address)
    return {
      ok: status < 300,
      status,
      headers: { get: (name) => headers[name] ?? null },
      text: async () => body,
    }
  }
  return { fetch, asked }
}

describe('createClient', () => {
  test('has a function for each endpoint, with everything in one object', async () => {
    const { configuration } = clientOf()
    const { verificationId } = await configuration.createVerification({ name: 'of the client' })
    const { verification } = await configuration.getVerification({ verificationId })
    expect(verification.name).toBe('of the client')
    expect((await configuration.getAllVerifications()).verifications).toHaveLength(1)
  })

  test('separates members of the query from members of the body', async () => {
    const { fetch, asked } = scripted({ status: 200 })
    let sent: unknown
    const client = createClient({
      origin: 'https://h',
      fetch: (address, init) => {
        sent = JSON.parse(init.body!)
        return fetch(address, init)
      },
    })
    const input = { collectionName: 'a', includeDemographicalInfo: false, imageData: 'x' }
    await client.verify.verifyDuplicate(input)
    expect(asked).toEqual([
      'https://h/api/v1/verify/verify-duplicate?collectionName=a&includeDemographicalInfo=false',
    ])
    expect(sent).toEqual({ imageData: 'x' })
  })

  test('works with a bearer token that it requests itself', async () => {
    const { token } = await clientOf().security.getToken({ scope: 'configure' })
    const tokens = [token]
    const client = createClient({ origin: host.origin, bearer: async () => tokens[0]! })
    expect((await client.configuration.createSignature({ queryString: 'a=1' })).signature).toHaveLength(64)
    expect(await failing(client.security.getToken())).toMatchObject({ code: 'unauthenticated', status: 401 })
  })

  test('calls each role at its own origin', async () => {
    const { fetch, asked } = scripted({ status: 200, body: '"now"' })
    const client = createClient({ origin: { liveness: 'https://l/', faceRecognition: 'https://f' }, fetch })
    await client.liveness.healthz()
    await client.faceRecognition.healthz()
    expect(asked).toEqual(['https://l/v1/healthz', 'https://f/v1/healthz'])
    await expect(client.security.healthz()).rejects.toThrow('no origin for security')
  })

  test('rejects with a problem that names the fault, its position and the answer', async () => {
    const problem = await failing(clientOf().configuration.createVerification({ name: '' }))
    expect(problem).toMatchObject({ code: 'invalid_request', status: 400, retryAfterInSeconds: undefined })
    expect(problem!.errors).toEqual([{ pointer: '#/name', message: expect.any(String) }])
    expect(problem!.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('ends a call that takes too long, or that is aborted', async () => {
    const never: Fetch = (_address, init) =>
      new Promise((_done, fail) => {
        const { signal } = init as unknown as { signal: AbortSignal }
        if (signal.aborted) fail(signal.reason)
        signal.addEventListener('abort', () => fail(signal.reason))
      })
    const client = createClient({ origin: 'https://h', fetch: never, timeoutInMilliseconds: 20 })
    expect(await failing(client.security.healthz())).toMatchObject({ name: 'TimeoutError' })
    const patient = createClient({ origin: 'https://h', fetch: never })
    const controller = new AbortController()
    const given = failing(patient.security.healthz({}, { signal: controller.signal }))
    controller.abort()
    expect(await given).toMatchObject({ name: 'AbortError' })
  })

  test.each([
    ['a time-out of the caller’s own', new DOMException('mine', 'TimeoutError')],
    ['any other reason', new Error('the user left')],
  ])('passes %s on unchanged', async (_what, reason) => {
    const never: Fetch = () => new Promise(() => {})
    const controller = new AbortController()
    const client = createClient({ origin: 'https://h', fetch: never })
    const given = client.security.healthz({}, { signal: controller.signal }).catch((error: unknown) => error)
    controller.abort(reason)
    expect(await given).toBe(reason)
  })

  test('ends a call in time whatever the garbage collector takes meanwhile', async () => {
    const garbage = keepCollectingGarbage()
    const server = createServer(() => undefined)
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const client = createClient({ origin, timeoutInMilliseconds: 300 })
    const call = failing(client.security.healthz({}, { signal: new AbortController().signal }))
    const late = new Promise((over) => setTimeout(over, 2000, 'late'))
    expect(await Promise.race([call, late])).toMatchObject({ name: 'TimeoutError' })
    garbage.stop()
    server.closeAllConnections()
    server.close()
  })

  test('ends a call that waits for its next try as soon as it is aborted', async () => {
    const { fetch, asked } = scripted({ status: 503, headers: { 'retry-after': '20' } })
    const client = createClient({ origin: 'https://h', fetch, retries: 1 })
    const controller = new AbortController()
    const given = failing(client.security.healthz({}, { signal: controller.signal }))
    setTimeout(() => controller.abort(), 20)
    expect(await given).toMatchObject({ name: 'AbortError' })
    expect(asked).toHaveLength(1)
  })
})

describe('a 503 with Retry-After', () => {
  const overloaded = { status: 503, headers: { 'retry-after': '0', 'x-request-id': 'r' } }

  test('is not tried again unless requested', async () => {
    const { fetch, asked } = scripted(overloaded)
    const client = createClient({ origin: 'https://h', fetch })
    expect(await failing(client.security.healthz())).toMatchObject({
      code: 'overloaded',
      retryAfterInSeconds: 0,
      requestId: 'r',
    })
    expect(asked).toHaveLength(1)
  })

  test('is tried again the requested number of times', async () => {
    const { fetch, asked } = scripted(
      overloaded,
      { ...overloaded, status: 429 },
      { status: 200, body: '"now"' },
    )
    const client = createClient({ origin: 'https://h', fetch, retries: 2 })
    expect(await client.security.healthz()).toBe('now')
    expect(asked).toHaveLength(3)
  })

  test.each([
    ['says too long a wait', { status: 503, headers: { 'retry-after': '31' } }],
    ['says no wait', { status: 503 }],
    ['is none', { status: 500, headers: { 'retry-after': '0' } }],
  ])('is not tried again if it %s', async (_what, answer) => {
    const { fetch, asked } = scripted(answer)
    await failing(createClient({ origin: 'https://h', fetch, retries: 2 }).security.healthz())
    expect(asked).toHaveLength(1)
  })
})

describe('a visit', () => {
  test('is linked, opened, submitted and read', async () => {
    const client = clientOf()
    const { verificationId } = await client.configuration.createVerification({
      name: 'visit',
      verificationConfig: {
        redirectConfig: { passedUrl: 'https://a.example/ok' },
        resultParameterConfig: { includeSignature: true, includeVerificationResult: true },
      },
    })
    const link = new URL(
      await client.createLink({
        verificationId,
        parameters: { order: '7' },
        securitySettings: { enableNonce: true },
      }),
    )
    expect(link.pathname).toBe(`/verification/${verificationId}`)
    expect([...link.searchParams.keys()]).toEqual([
      'reVerificationId',
      'order',
      'reExpiration',
      'reNonce',
      'reSignature',
    ])
    const opened = await client.configuration.initRedirectSession({
      verificationId,
      queryString: link.search,
    })
    const session = client.session(opened.sessionToken)
    expect((await session.getSession()).state).toBe('Created')
    const frames = [{ ...frameOf({ person: 'anna' }), challengeStep: 0 }]
    const consent = { given: true, wordingVersion: '1', locale: 'en' }
    const { redirectUrl } = await session.submitSession({ frames, consent })
    expect(await client.readReturn(`${redirectUrl}&reVerificationResult=failed&fbclid=abc#top`)).toEqual({
      signature: 'Valid',
      parameters: {
        reVerificationResult: 'passed',
        reVerificationId: expect.any(String),
        reCompletedAt: expect.stringMatching(/^\d{10}$/),
        reResultId: expect.stringMatching(/^[0-9a-f]{32}$/),
        reSignature: expect.any(String),
      },
    })
    const forged = await client.readReturn(redirectUrl!.replace('passed', 'failed'))
    expect(forged.signature).toBe('Invalid')
    const { verificationSessionId } = opened
    const result = await client.configuration.getSessionResult({ verificationSessionId })
    expect(result).toMatchObject({ verificationResult: 'Pass', customInputParameters: { order: '7' } })
  })
})

describe('imageOf', () => {
  const bytes = readFileSync('tests/support/pictures/astronaut.png')

  test.each([
    ['a Buffer', bytes],
    ['an ArrayBuffer', new Uint8Array(bytes).buffer],
    ['a Blob', new Blob([new Uint8Array(bytes)])],
  ])('encodes %s', async (_what, picture) => {
    expect(await imageOf(picture)).toEqual({ bytes: bytes.toString('base64') })
  })
})

describe('verifyWebhook', () => {
  const key = Buffer.alloc(32, 5)
  const body = '{"event":"VerificationCompleted","verificationSessionId":"s"}'
  const now = () => Math.floor(Date.now() / 1000)

  function signed({ at = now(), over = body, by = key } = {}) {
    const signature = createHmac('sha256', by).update(`e1.${at}.${over}`).digest('base64')
    return { 'webhook-id': 'e1', 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` }
  }

  test.each([key.toString('base64'), `whsec_${key.toString('base64')}`])(
    'takes what %s signed',
    async (secret) => {
      const event = { event: 'VerificationCompleted', verificationSessionId: 's' }
      expect(await verifyWebhook({ headers: signed(), body, secret })).toEqual(event)
      expect(await verifyWebhook({ headers: new Headers(signed()), body, secret })).toEqual(event)
    },
  )

  test('accepts one valid signature among several', async () => {
    const old = signed({ by: Buffer.alloc(32, 6) })['webhook-signature']
    const headers = { ...signed(), 'webhook-signature': `${old} ${signed()['webhook-signature']}` }
    await verifyWebhook({ headers, body, secret: key.toString('base64') })
  })

  test.each([
    ['an altered body', signed({ over: `${body} ` })],
    ['another secret', signed({ by: Buffer.alloc(32, 6) })],
    ['an old event', signed({ at: now() - 301 })],
    ['an event of the future', signed({ at: now() + 400 })],
    ['no time', { ...signed(), 'webhook-timestamp': 'soon' }],
    ['no signature', { ...signed(), 'webhook-signature': '' }],
    ['no headers', {}],
  ])('refuses %s', async (_what, headers) => {
    const work = verifyWebhook({ headers, body, secret: key.toString('base64') })
    expect(await failing(work)).toMatchObject({ code: 'signature_invalid' })
  })

  test('accepts what the server sends', async () => {
    const receiver = await startReceiver()
    const client = clientOf()
    const { verificationId } = await client.configuration.createVerification({
      name: 'with a webhook',
      verificationConfig: { webhookConfig: { eventCallbackUrl: receiver.address } },
    })
    const queryString = new URL(await client.createLink({ verificationId })).search
    const opened = await client.configuration.initRedirectSession({ verificationId, queryString })
    const consent = { given: false, wordingVersion: '1', locale: 'en' }
    await client.session(opened.sessionToken).submitSession({ frames: [], consent })
    await expect.poll(() => receiver.received.length).toBe(1)
    receiver.close()
    const account = (await host.services.accounts.find(host.accountId))!
    const secret = host.services.accounts.webhookSecrets(account)[0]!.toString('base64')
    const { verificationSessionId } = await verifyWebhook({ ...receiver.received[0]!, secret })
    expect(verificationSessionId).toBe(opened.verificationSessionId)
  })
})
