import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import Koa from 'koa'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serve } from '#server/platform/http/responses/serve.ts'
import { createSignature } from '#shared/contract/configuration/signature.ts'
import { problemBody } from '#shared/contract/problem-body.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { sendRaw } from '../../../../support/raw-request.ts'

let host: Host
beforeAll(async () => {
  host = await startHost({ demo: true })
})
afterAll(() => host.close())

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** A request's lines, followed by its body. */
function request(lines: readonly string[], body = ''): string {
  return `${[...lines, 'Host: a', 'Connection: close'].join('\r\n')}\r\n\r\n${body}`
}

function post(fields: readonly string[], body: string, authorization = `ApiKey ${host.apiKey}`): string {
  const head = [`POST ${createSignature.path} HTTP/1.1`, `Authorization: ${authorization}`]
  return request([...head, 'Content-Type: application/json', ...fields], body)
}

describe('a request that is not HTTP', () => {
  test.each([
    ['nonsense', 'nonsense\r\n\r\n', 400, 'invalid_request'],
    ['an unknown method', request(['FROB / HTTP/1.1']), 400, 'invalid_request'],
    ['a NUL in the path', request(['GET /\0 HTTP/1.1']), 400, 'invalid_request'],
    ['a NUL in a header', request(['GET / HTTP/1.1', 'X: \0']), 400, 'invalid_request'],
    [
      'two lengths',
      request(['GET / HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2']),
      400,
      'invalid_request',
    ],
    [
      'a length and chunks',
      request(['POST / HTTP/1.1', 'Content-Length: 1', 'Transfer-Encoding: chunked']),
      400,
      'invalid_request',
    ],
    [
      'a proxy request',
      'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n',
      400,
      'invalid_request',
    ],
    ['huge headers', request(['GET / HTTP/1.1', `X: ${'x'.repeat(20_000)}`]), 431, 'headers_too_large'],
    ['a huge path', request([`GET /${'x'.repeat(20_000)} HTTP/1.1`]), 431, 'headers_too_large'],
  ])('is answered with a problem: %s', async (_name, bytes, status, code) => {
    const answer = await sendRaw(host.origin, bytes)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('connection')).toBe('close')
    const problem = v.parse(problemBody, JSON.parse(answer.body))
    expect(problem).toMatchObject({ status, code, requestId: answer.headers.get('x-request-id') })
    if (status === 400) expect(problem.errors).toEqual([{ pointer: '#', message: expect.any(String) }])
  })
})

describe('a proxy request whose sender is gone does no harm', () => {
  test.each([
    ['at once', 0],
    ['after the answer', 200],
  ])('%s', async (_name, delay) => {
    const { hostname, port } = new URL(host.origin)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.on('error', () => undefined)
    socket.write('CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n')
    await setTimeout(delay)
    socket.resetAndDestroy()
    await setTimeout(200)
    const answer = await sendRaw(host.origin, request(['GET /v1/healthz HTTP/1.1']))
    expect(answer.status).toBe(200)
  })

  test('nor one that never closes: the server does, and can stop', async () => {
    const { hostname, port } = new URL(host.origin)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    await once(socket, 'connect')
    socket.resume()
    socket.on('error', () => undefined)
    socket.write('CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n')
    await once(socket, 'end')
    // Writing to a connection that both sides have closed fails.
    const closed = new Promise((done) => socket.on('close', done))
    const writing = setInterval(() => socket.write('x'), 20)
    await closed
    clearInterval(writing)
  })
})

test('a request that does not arrive in time is answered with a 408', async () => {
  const server = createServer({ connectionsCheckingInterval: 50 })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  serve(server, new Koa(), {
    headers: { embedOrigins: [], demo: false, https: false },
    observe: () => {},
  })
  server.headersTimeout = 100
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer = await sendRaw(origin, 'GET / HTTP/1.1\r\nHost:', 2000)
  expect(answer.status).toBe(408)
  expect(JSON.parse(answer.body)).toMatchObject({ status: 408, code: 'request_timeout' })
  server.close()
})

describe('odd paths are not found, and never an error of the server', () => {
  test.each([
    '/%ff',
    '/%',
    '/%00',
    '/verification/%ff%',
    '/v1/verification/%2e%2e',
    '//v1/healthz',
    '/v1/healthz/',
    '/v1//healthz',
    '/V1/healthz',
    '/assets/%c0%ae%c0%ae/x',
    '/__proto__',
    '/v1/constructor',
    '*',
  ])('%s', async (path) => {
    const { status } = await sendRaw(host.origin, request([`GET ${path} HTTP/1.1`]))
    expect(status).toBe(404)
    expect(host.errors).toEqual([])
  })
})

describe('methods', () => {
  test.each([
    ['PUT', '/v1/healthz', 'HEAD, GET, OPTIONS'],
    ['PATCH', '/v1/healthz', 'HEAD, GET, OPTIONS'],
    ['PROPFIND', '/v1/healthz', 'HEAD, GET, OPTIONS'],
    ['TRACE', '/v1/healthz', 'HEAD, GET, OPTIONS'],
    ['GET', '/v1/signature/create', 'POST, OPTIONS'],
    ['POST', '/verification/x', 'HEAD, GET, OPTIONS'],
  ])('%s %s is a 405 that lists the allowed ones', async (method, path, allow) => {
    const { status, headers } = await sendRaw(host.origin, request([`${method} ${path} HTTP/1.1`]))
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe(allow)
    expect(headers.get('x-request-id')).toMatch(uuid)
  })

  test('OPTIONS lists the methods, and needs no credential', async () => {
    const answer = await host.fetch('/v1/signature/create', { method: 'OPTIONS' })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS')
    expect((await host.fetch('/nothing', { method: 'OPTIONS' })).status).toBe(404)
  })

  test('HEAD is a GET without its body', async () => {
    const [head, get] = await Promise.all([
      host.fetch('/v1/healthz', { method: 'HEAD' }),
      host.fetch('/v1/healthz'),
    ])
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    expect(await head.text()).toBe('')
  })
})

describe('a body', () => {
  const body = '{"queryString":"a=1"}'

  test('may come in chunks, without a length', async () => {
    const chunks = `5\r\n${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`
    expect((await sendRaw(host.origin, post(['Transfer-Encoding: chunked'], chunks))).status).toBe(200)
  })

  test('in broken chunks is a 400', async () => {
    const answer = await sendRaw(host.origin, post(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n'))
    expect(answer.status).toBe(400)
    expect(host.errors).toEqual([])
  })

  test('is requested if the client waits for that', async () => {
    const length = `Content-Length: ${body.length}`
    const { text, status } = await sendRaw(host.origin, post([length, 'Expect: 100-continue'], body))
    expect(text.match(/^HTTP\/1\.1 100 Continue/)).not.toBeNull()
    expect(status).toBe(200)
  })

  test.each([
    ['without a credential', 'ApiKey wrong', [], 401],
    ['of more than 16 MiB', undefined, [`Content-Length: ${16 * 1024 * 1024 + 1}`], 413],
    ['of another kind', undefined, ['Content-Encoding: gzip', 'Content-Length: 9'], 415],
  ])('is not requested for %s', async (_name, authorization, fields, status) => {
    const answer = await sendRaw(host.origin, post([...fields, 'Expect: 100-continue'], '', authorization))
    expect(answer.text).not.toContain('100 Continue')
    expect(answer.status).toBe(status)
  })

  test('is not read before the credential is checked', async () => {
    const answer = await sendRaw(host.origin, post(['Content-Length: 1'], '{', 'ApiKey wrong'))
    expect(answer.status).toBe(401)
  })

  test.each([
    [`"${'x'.repeat(16 * 1024 * 1024 - 2)}"`, 400],
    [`"${'x'.repeat(16 * 1024 * 1024 - 1)}"`, 413],
  ])('has at most 16 MiB', async (text, status) => {
    const headers = { authorization: `ApiKey ${host.apiKey}`, 'content-type': 'application/json' }
    const answer = await host.fetch(createSignature.path, { method: 'POST', headers, body: text })
    expect(answer.status).toBe(status)
  })
})

describe('a repeated query parameter', () => {
  test.each([
    ['/v1/token/get?expirationInSeconds=60&expirationInSeconds=70', '#/query/expirationInSeconds'],
    ['/v1/verification/get?verificationId=a&verificationId=b', '#/query/verificationId'],
  ])('is a 400: %s', async (path, pointer) => {
    const answer = await host.fetch(path, { headers: { authorization: `ApiKey ${host.apiKey}` } })
    expect(answer.status).toBe(400)
    expect((await answer.json()).errors).toEqual([{ pointer, message: 'Must be given once.' }])
  })
})

describe('X-Request-Id', () => {
  test.each([
    ['a UUID', '3f1c2c1e-7a53-4f0e-9a55-0a4c3a1d2b11', true],
    ['32 hexadecimal digits', '4bf92f3577b34da6a3ce929d0e0e4736', true],
    ['nothing', '', false],
    ['a word', 'request-1', false],
    ['something like a key', 'k'.repeat(43), false],
    ['something long', 'a'.repeat(5000), false],
  ])('is adopted from the caller only if it looks like one: %s', async (_name, given, adopted) => {
    const { headers } = await host.fetch('/v1/healthz', { headers: { 'x-request-id': given } })
    const answered = headers.get('x-request-id')
    if (adopted) expect(answered).toBe(given)
    else expect(answered).toMatch(uuid)
  })

  test.each(['/v1/healthz', '/nothing', '/demo', '/.well-known/jwks.json', '/v1/token/get'])(
    'is on every answer: %s',
    async (path) => {
      expect((await host.fetch(path)).headers.get('x-request-id')).toMatch(uuid)
    },
  )
})

describe('X-Forwarded-For', () => {
  test.each([
    [0, '127.0.0.1'],
    [1, '203.0.113.9'],
    [2, '198.51.100.7'],
  ])('is read up to the proxies that %s trusts', async (trustedProxies, expected) => {
    const seen: string[] = []
    const limits = {
      countCall: async (ctx: { ip: string }) => void seen.push(ctx.ip),
      checkLogins: async () => {},
      noteFailedLogin: async () => {},
      chargeMore: async () => {},
      isFirstUse: async () => true,
    }
    const proxied = await startHost({ site: { trustedProxies, limits } })
    const forwarded = '192.0.2.1, 198.51.100.7, 203.0.113.9'
    await proxied.fetch('/v1/healthz', { headers: { 'x-forwarded-for': forwarded } })
    expect(seen).toEqual([expected])
    await proxied.close()
  })
})
