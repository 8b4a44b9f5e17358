import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog, type OperationsLog } from '#server/platform/telemetry/log.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { newVerification, openSession, signedQuery, submit } from '../../../support/visit.ts'

const written: string[] = []
const lines = () => written.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line))
const destination = { write: (text: string) => void written.push(text) }

let log: OperationsLog
let host: Host
beforeAll(async () => {
  log = createLog('debug', destination)
  host = await startHost({ site: { log, observe: log.request } })
})
afterAll(() => host.close())

/** The log line for the request that `ask` makes. */
async function lineOf(ask: () => Promise<Response>) {
  const answer = await ask()
  await answer.arrayBuffer()
  const requestId = answer.headers.get('x-request-id')
  await expect.poll(() => lines().some((line) => line.requestId === requestId)).toBe(true)
  return lines().find((line) => line.requestId === requestId)
}

describe('a request', () => {
  test('leaves one line with what an operator needs, and nothing else', async () => {
    const headers = { authorization: `ApiKey ${host.apiKey}` }
    const line = await lineOf(() => host.fetch('/v1/datetime/utc-now?a=b', { headers }))
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      requestId: expect.any(String),
      method: 'GET',
      route: '/v1/datetime/utc-now',
      role: 'security',
      status: 200,
      durationInMilliseconds: expect.any(Number),
      bytes: JSON.stringify({ utcNow: new Date().toISOString() }).length,
      accountId: host.accountId,
      keyId: expect.any(String),
      msg: 'request',
    })
  })

  test.each([
    ['a page', '/verification/some-id?reSignature=x', { route: '/verification/:verificationId' }],
    ['nothing there', '/a/secret/path', { status: 404 }],
    ['no credential', '/v1/token/get', { status: 401, route: '/v1/token/get', role: 'security' }],
    ['another method', '/v1/signature/create', { status: 405, route: '/v1/signature/create' }],
  ])('names the route, never the path: %s', async (_name, path, expected) => {
    const line = await lineOf(() => host.fetch(path))
    expect(line).toMatchObject(expected)
    expect(JSON.stringify(line)).not.toMatch(/some-id|secret|reSignature/)
    expect(line.accountId).toBeUndefined()
  })

  test.each([
    ['info', 1],
    ['warn', 0],
    ['silent', 0],
  ] as const)('is logged at %s as %s lines', (level, count) => {
    const told: string[] = []
    const quiet = createLog(level, { write: (text) => void told.push(text) })
    quiet.request({ requestId: 'a', method: 'GET', status: 200, durationInMilliseconds: 1, bytes: 0 })
    expect(told).toHaveLength(count)
  })
})

test('a long text is truncated after secrets were removed, not in the middle of one', () => {
  const told: string[] = []
  const secret = 'canary'.repeat(8)
  for (let before = 3960; before <= 4000; before++) {
    const error = `${'. '.repeat(before / 2)}${secret}`
    createLog('error', { write: (text) => void told.push(text) }).failure(error, 'It failed')
  }
  expect(told.join('')).not.toContain('canary')
})

describe('a secret', () => {
  test('is in no line, whatever is done with it and whatever goes wrong', async () => {
    const externalId = 'person-7-external'
    const headers = { authorization: `ApiKey ${host.apiKey}`, 'content-type': 'application/json' }
    const { token } = await (await host.fetch('/v1/token/get', { headers })).json()
    const query = await signedQuery(host, `reExternalId=${externalId}&mine=parameter-of-mine`)
    const signature = query.split('reSignature=')[1]!
    const opened = await openSession(host, await newVerification(host), `reExternalId=${externalId}`)
    await submit(host, opened, { person: 'anna' })
    const secrets = [host.apiKey, token, signature, opened.sessionToken, externalId, 'parameter-of-mine']
    for (const secret of secrets) {
      await host.fetch(`/v1/healthz?key=${secret}`)
      await host.fetch(`/v1/${secret}`)
      await host.fetch(`/verification/${secret}?${query}`)
      await host.fetch('/v1/healthz', {
        headers: { 'x-request-id': secret, referer: `https://a.example/${secret}` },
      })
      await host.fetch('/v1/datetime/utc-now', { headers: { authorization: `Bearer ${secret}` } })
      await host.fetch('/v1/signature/create', { method: 'POST', headers, body: `{"queryString": ${secret}` })
      await host.fetch('/v1/signature/create', {
        method: 'POST',
        headers,
        body: `{"${secret}": "${secret}"}`,
      })
    }
    const broken = await startHost({ site: { log, observe: log.request } })
    broken.store.get = () => Promise.reject(new Error(`Cannot read ${token} with ${host.apiKey}`))
    await broken.fetch('/v1/datetime/utc-now', { headers })
    await broken.close()
    const text = written.join('')
    expect(text).toContain('A request failed unexpectedly')
    expect(text).toContain('Cannot read [removed]')
    for (const secret of [...secrets, ...token.split('.')]) expect(text).not.toContain(secret)
  })
})
