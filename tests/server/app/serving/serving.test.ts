import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLoopback, isPublicAddress } from '#server/platform/http/outbound/addresses.ts'
import { measureJson } from '#server/platform/http/requests/json-size.ts'
import { listStaticFiles } from '#server/platform/http/responses/static-files.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import { problemBody } from '#shared/contract/problem-body.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { type Host, startHost } from '../../../support/host.ts'

let host: Host
let framing: Host
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-web-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>page</title>')
  await writeFile(join(folder, 'kiosk.html'), '<!doctype html><title>kiosk</title>')
  await writeFile(join(folder, 'assets', 'a-1.js'), 'plain')
  await writeFile(join(folder, 'assets', 'a-1.js.br'), 'brotli')
  await writeFile(join(folder, 'assets', 'a-1.js.gz'), 'gzipped')
  const files = await listStaticFiles(folder)
  host = await startHost({ demo: true, site: { files } })
  const headers = { embedOrigins: ['https://shop.example'], demo: true, https: true }
  framing = await startHost({ site: { files, headers } })
})
afterAll(async () => {
  await Promise.all([host.close(), framing.close(), rm(folder, { recursive: true })])
})

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  host.fetch('/v1/signature/create', {
    method: 'POST',
    headers: { authorization: `ApiKey ${host.apiKey}`, 'content-type': 'application/json', ...headers },
    body,
  })

describe('a client that disconnects during the answer', () => {
  const codesOf = (noted: readonly unknown[]) => noted.map((error) => (error as { code?: string }).code)

  test('causes no error of the server', async () => {
    await writeFile(join(folder, 'assets', 'large-1.js'), Buffer.alloc(32 * 1024 * 1024))
    const site = await startHost({ site: { files: await listStaticFiles(folder) } })
    const leaving = new AbortController()
    const answer = await site.fetch('/assets/large-1.js', { signal: leaving.signal })
    expect(answer.status).toBe(200)
    leaving.abort()
    await expect.poll(() => codesOf(site.details)).toContain('ERR_STREAM_PREMATURE_CLOSE')
    expect(site.errors).toEqual([])
    await site.close()
  })

  test('is distinguished from an unreadable file', async () => {
    await writeFile(join(folder, 'assets', 'gone-1.js'), 'gone')
    const site = await startHost({ site: { files: await listStaticFiles(folder) } })
    await rm(join(folder, 'assets', 'gone-1.js'))
    await site.fetch('/assets/gone-1.js').catch(() => undefined)
    await expect.poll(() => codesOf(site.errors)).toContain('ENOENT')
    expect(site.details).toEqual([])
    await site.close()
  })
})

describe('a problem', () => {
  test.each([
    ['nothing there', () => host.fetch('/nothing'), 404, 'not_found'],
    ['another case', () => host.fetch('/V1/healthz'), 404, 'not_found'],
    ['another method', () => host.fetch('/v1/healthz', { method: 'DELETE' }), 405, 'method_not_allowed'],
    ['no credential', () => host.fetch('/v1/token/get'), 401, 'unauthenticated'],
    ['no JSON', () => post('{'), 400, 'invalid_request'],
    ['no body', () => post(''), 400, 'invalid_request'],
    ['a list', () => post('[]'), 400, 'invalid_request'],
    ['deep JSON', () => post('['.repeat(100_000)), 400, 'invalid_request'],
    [
      'another type',
      () => post('a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported_media_type',
    ],
    ['an encoding', () => post('x', { 'content-encoding': 'gzip' }), 415, 'unsupported_media_type'],
    ['too much', () => post(`"${'x'.repeat(17 * 1024 * 1024)}"`), 413, 'body_too_large'],
  ])('for %s has its status, code and form', async (_name, request, status, code) => {
    const answer = await request()
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    const body = v.parse(problemBody, await answer.json())
    expect(body).toMatchObject({ status, code, requestId: answer.headers.get('x-request-id') })
    expect('errors' in body).toBe(status === 400)
  })

  test('names the allowed methods, and how to authenticate', async () => {
    expect((await host.fetch('/v1/healthz', { method: 'PUT' })).headers.get('allow')).toContain('GET')
    expect((await host.fetch('/v1/token/get')).headers.get('www-authenticate')).toBe('ApiKey')
  })

  test('of an unexpected error is a 500 without details', async () => {
    const broken = await startHost()
    broken.store.get = () => Promise.reject(new Error('secret detail'))
    const answer = await broken.fetch('/v1/token/get', { headers: { authorization: 'ApiKey x' } })
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('secret detail')
    expect(broken.errors).toHaveLength(1)
    await broken.close()
  })
})

describe('GET /v1/healthz', () => {
  test.each([
    [undefined, 'application/json; charset=utf-8', /^"\d{4}-.*Z"$/],
    ['*/*', 'application/json; charset=utf-8', /^"/],
    ['text/plain', 'text/plain; charset=utf-8', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
    ['text/json', 'text/json; charset=utf-8', /^"\d{4}-.*Z"$/],
    ['text/html', 'application/json; charset=utf-8', /^"/],
  ])('for Accept: %s', async (accept, type, body) => {
    const answer = await host.fetch('/v1/healthz', accept === undefined ? {} : { headers: { accept } })
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.text()).toMatch(body)
  })
})

describe('the text variants of the configuration service', () => {
  const ask = (path: string, accept: string | undefined, init: RequestInit = {}) =>
    host.fetch(path, {
      ...init,
      headers: {
        authorization: `ApiKey ${host.apiKey}`,
        ...(init.body ? { 'content-type': 'application/json' } : {}),
        ...(accept === undefined ? {} : { accept }),
      },
    })

  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['text/plain;q=0.5, application/json', 'application/json'],
    ['text/plain', 'text/plain'],
    ['text/plain, application/json;q=0.9', 'text/plain'],
    ['text/*', 'text/plain'],
    ['text/json', 'text/json'],
    ['text/html', 'application/json'],
    ['application/xml', 'application/json'],
  ])('of GET for Accept: %s are %s', async (accept, type) => {
    const answer = await ask('/v1/verification/get-all', accept)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    expect(answer.headers.get('vary')).toContain('Accept')
    expect(JSON.parse(await answer.text())).toHaveProperty('verifications')
  })

  test('of POST carry the same JSON', async () => {
    const body = JSON.stringify({ queryString: 'a=1' })
    const answer = await ask('/v1/signature/validate', 'text/plain', { method: 'POST', body })
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toBe('{"result":"Invalid"}')
  })

  test.each(['text/plain', 'text/json'])('leave problems as they are: %s', async (accept) => {
    const answer = await ask('/v1/verification/get?verificationId=x', accept)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  })

  test('exist for every one of its endpoints', () => {
    const endpoints = Object.entries<Endpoint>(catalogue.configuration)
    const without = endpoints.filter(([, { textVariant }]) => textVariant !== true)
    expect(without.map(([name]) => name)).toEqual([])
  })
})

const capture = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'`
const demo = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'`
const camera = 'camera=(self), microphone=(), geolocation=(), display-capture=()'
const noCamera = 'camera=(), microphone=(), geolocation=(), display-capture=()'

describe('security headers', () => {
  test.each([
    [
      '/verification/x',
      'document',
      `${capture}; frame-ancestors 'none'`,
      'same-origin',
      'require-corp',
      'same-origin',
      camera,
    ],
    [
      '/verification/session/x',
      'document',
      `${capture}; frame-ancestors 'none'`,
      'same-origin',
      'require-corp',
      'same-origin',
      camera,
    ],
    [
      '/verification/x',
      'iframe',
      `${capture}; frame-ancestors 'none'`,
      'unsafe-none',
      'require-corp',
      'cross-origin',
      camera,
    ],
    [
      '/popup/x',
      'document',
      `${capture}; frame-ancestors 'none'`,
      'unsafe-none',
      'unsafe-none',
      'same-origin',
      camera,
    ],
    [
      '/popup/session/x',
      'document',
      `${capture}; frame-ancestors 'none'`,
      'unsafe-none',
      'unsafe-none',
      'same-origin',
      camera,
    ],
    [
      '/assets/a-1.js',
      'script',
      `${capture}; frame-ancestors 'none'`,
      'same-origin',
      'require-corp',
      'same-origin',
      camera,
    ],
    ['/demo', 'document', demo, 'same-origin-allow-popups', 'unsafe-none', 'same-origin', camera],
    ['/demo/result', 'document', demo, 'same-origin-allow-popups', 'unsafe-none', 'same-origin', camera],
    [
      '/v1/token/get',
      'empty',
      `default-src 'none'; frame-ancestors 'none'`,
      'same-origin',
      'require-corp',
      'same-origin',
      noCamera,
    ],
  ])('of %s as %s', async (path, destination, csp, opener, embedder, resource, permissions) => {
    const { headers } = await host.fetch(path, { headers: { 'sec-fetch-dest': destination } })
    expect(headers.get('content-security-policy')).toBe(csp)
    expect(headers.get('cross-origin-opener-policy')).toBe(opener)
    expect(headers.get('cross-origin-embedder-policy')).toBe(embedder)
    expect(headers.get('cross-origin-resource-policy')).toBe(resource)
    expect(headers.get('permissions-policy')).toBe(permissions)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('set-cookie')).toBeNull()
  })

  test('of a framed page name its permitted parents; https is enforced', async () => {
    const { headers } = await framing.fetch('/verification/x', { headers: { 'sec-fetch-dest': 'iframe' } })
    expect(headers.get('content-security-policy')).toBe(
      `${capture}; frame-ancestors 'self' https://shop.example`,
    )
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(headers.get('vary')).toContain('Sec-Fetch-Dest')
  })

  test('of an API answer forbid caching', async () => {
    expect((await host.fetch('/v1/healthz')).headers.get('cache-control')).toBe('no-store')
  })
})

describe('static files', () => {
  test('are compressed if the client accepts it, and cached forever', async () => {
    const { request } = await import('node:http')
    const ask = (encoding: string) =>
      new Promise<{ body: string; headers: Record<string, unknown> }>((done) =>
        request(`${host.origin}/assets/a-1.js`, { headers: { 'accept-encoding': encoding } }, (answer) => {
          let body = ''
          answer.on('data', (chunk) => {
            body += chunk
          })
          answer.on('end', () => done({ body, headers: answer.headers }))
        }).end(),
      )
    const compressed = await ask('gzip, deflate, br, zstd')
    expect(compressed).toMatchObject({ body: 'brotli', headers: { 'content-encoding': 'br' } })
    expect(compressed.headers['cache-control']).toContain('immutable')
    expect(compressed.headers['content-type']).toContain('javascript')
    const gzipped = await ask('gzip, deflate')
    expect(gzipped).toMatchObject({ body: 'gzipped', headers: { 'content-encoding': 'gzip' } })
    expect((await ask('identity')).body).toBe('plain')
  })

  test('are two documents: that of a kiosk is at one address only', async () => {
    expect(await (await host.fetch('/kiosk')).text()).toContain('<title>kiosk</title>')
    expect(await (await host.fetch('/verification')).text()).toContain('<title>page</title>')
    expect((await host.fetch('/kiosk/x')).status).toBe(404)
  })

  test('answer 304 to a client that has them', async () => {
    const { headers } = await host.fetch('/verification/x')
    const again = await host.fetch('/verification/x', {
      headers: { 'if-none-match': headers.get('etag')!, 'cache-control': 'max-age=0' },
    })
    expect(again.status).toBe(304)
  })

  test.each([
    '/assets/..%2f..%2fpackage.json',
    '/assets/a-1.js.br',
    '/assets/a-1.js.gz',
    '/index.html',
    '/kiosk.html',
    '/assets/',
    '/assets/%00',
  ])('are nothing else: %s', async (path) => expect((await host.fetch(path)).status).toBe(404))
})

test.each([
  ['['.repeat(32), 32, 1],
  ['['.repeat(33), 33, 1],
  ['{"a":['.repeat(17), 34, 1],
  [`["${'['.repeat(99)}\\"${'[,'.repeat(99)}"]`, 1, 2],
  ['[],'.repeat(99), 1, 100],
  ['{"a,b":1,"c":[2,3]}', 2, 3],
])('the size of JSON is counted outside strings, except for escaped quotes', (text, depth, values) => {
  expect(measureJson(text)).toEqual({ depth, values })
})

describe('addresses', () => {
  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.100.100.200',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::1',
    '::',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    'fe80::1',
    'fd00:ec2::254',
    'ff02::1',
    'a.example',
    '',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))
  test.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111', '2a00:1450::1'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
  test('loopback is 127/8 and ::1', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1'].every(isLoopback)).toBe(true)
    expect(['128.0.0.1', '::2', '::ffff:127.0.0.1', 'localhost'].some(isLoopback)).toBe(false)
  })
})
