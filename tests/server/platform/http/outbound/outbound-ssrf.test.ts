import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createAllowList, isAllowEntry } from '#server/platform/http/outbound/allow-list.ts'
import { createOutbound, type Get } from '#server/platform/http/outbound/outbound.ts'
import { productVersion } from '#server/platform/running/product-version.ts'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { fakeJpeg } from '../../../../support/drawn/fake-picture.ts'
import { startHost } from '../../../../support/host.ts'

const picture = Buffer.from(fakeJpeg({ person: 'anna' }))
const corpus: readonly string[] = readFileSync(
  join(import.meta.dirname, '../../../../support/private-hosts.txt'),
  'utf8',
)
  .trim()
  .split('\n')

/** A picture host on loopback that counts every request. */
let server: Server
let port: number
let asked: { url: string; headers: Record<string, unknown> }[] = []
let answer: RequestListener
const sendPicture: RequestListener = (_request, response) => response.end(picture)

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push({ url: request.url!, headers: request.headers })
    answer(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  port = (server.address() as AddressInfo).port
})
afterEach(() => {
  asked = []
  answer = sendPicture
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
answer = sendPicture

/** As on the internet, except that every name resolves to this machine, and only names ending with `.example` are allowed. */
const outbound = createOutbound({
  allowLoopback: true,
  alsoGetFrom: (host) => host.endsWith('.example'),
  resolveName: async () => [{ address: '127.0.0.1', family: 4 }],
})
const at = (path = '/', host = 'pictures.example') => `http://${host}:${port}${path}`

function get(address: string, more: Partial<Get> = {}, client = outbound) {
  const { signal } = new AbortController()
  return client.get({
    address,
    signal,
    mostRedirects: 3,
    mostBytes: 1000,
    timeoutInMilliseconds: 2000,
    ...more,
  })
}

const redirectTo =
  (location: string): RequestListener =>
  (request, response) =>
    request.url === '/moved'
      ? response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end()
      : response.end(picture)

describe('an allowed picture host', () => {
  test('receives a request for the unmodified bytes, with headers that name the product and nothing else', async () => {
    expect(Buffer.from(await get(at())).equals(picture)).toBe(true)
    expect(asked[0]!.headers).toEqual({
      host: `pictures.example:${port}`,
      accept: 'image/jpeg, image/png',
      'accept-encoding': 'identity',
      'user-agent': `Selfsame/${productVersion}`,
      connection: 'close',
    })
  })

  test('is resolved once, even if its name changes a moment later', async () => {
    const answers = ['127.0.0.1', '127.0.0.2']
    let looked = 0
    const client = createOutbound({
      allowLoopback: false,
      alsoGetFrom: (_host, ip) => ip === '127.0.0.1',
      resolveName: async () => [{ address: answers[looked++]!, family: 4 }],
    })
    expect(Buffer.from(await get(at(), {}, client)).equals(picture)).toBe(true)
    expect(looked).toBe(1)
  })
})

describe('an address of a private network', () => {
  test.each(corpus)('is not contacted: %s', async (host) => {
    await expect(get(`http://${host}:${port}/`)).rejects.toThrow()
    expect(asked).toHaveLength(0)
  })

  test.each(corpus)('is not contacted after a redirect: %s', async (host) => {
    answer = redirectTo(`http://${host}:${port}/`)
    await expect(get(at('/moved'))).rejects.toThrow()
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['a public and a private one', ['93.184.215.14', '10.0.0.1']],
    ['a private and a public one', ['127.0.0.1', '93.184.215.14']],
    ['none', []],
  ])('is not contacted by a name that resolves to %s', async (_name, found) => {
    const client = createOutbound({
      allowLoopback: true,
      resolveName: async () => found.map((address) => ({ address, family: 4 })),
    })
    await expect(get(at(), {}, client)).rejects.toThrow('This address is not allowed')
    expect(asked).toHaveLength(0)
  })
})

describe('redirects', () => {
  const hops: RequestListener = (request, response) => {
    const left = Number(request.url!.slice(1))
    if (left === 0) response.end(picture)
    else response.writeHead(308, { location: `/${left - 1}` }).end()
  }

  test.each([0, 1, 3])('are followed %d times', async (count) => {
    answer = hops
    expect(Buffer.from(await get(at(`/${count}`))).equals(picture)).toBe(true)
    expect(asked).toHaveLength(count + 1)
  })

  test('are not followed a fourth time', async () => {
    answer = hops
    await expect(get(at('/4'))).rejects.toThrow()
    expect(asked).toHaveLength(4)
  })

  test('may lead to another allowed host', async () => {
    answer = redirectTo(at('/', 'other.example'))
    await get(at('/moved'))
    expect(asked[1]!.headers.host).toBe(`other.example:${port}`)
  })

  test.each([
    'file:///etc/passwd',
    'ftp://a.example/',
    'data:image/png;base64,AAAA',
    'http://a:b@other.example/',
    'http://',
    '',
  ])('lead nowhere else: %s', async (location) => {
    answer = location === '' ? (_request, response) => response.writeHead(302).end() : redirectTo(location)
    await expect(get(at('/moved'))).rejects.toThrow()
    expect(asked).toHaveLength(1)
  })
})

describe('an answer', () => {
  const sends =
    (headers: Record<string, string>, body: Buffer, status = 200): RequestListener =>
    (_request, response) =>
      response.writeHead(status, headers).end(body)

  test.each([
    [1000, true],
    [1001, false],
  ])('of %d bytes with a limit of 1000 is accepted: %j', async (size, taken) => {
    const body = Buffer.alloc(size)
    for (const headers of [{ 'content-length': String(size) }, { 'transfer-encoding': 'chunked' }]) {
      answer = sends(headers as Record<string, string>, body)
      const bytes = get(at()).then(({ length }) => length)
      await (taken ? expect(bytes).resolves.toBe(size) : expect(bytes).rejects.toThrow('too large'))
    }
  })

  test.each([
    ['compressed', sends({ 'content-encoding': 'gzip' }, gzipSync(picture))],
    ['not found', sends({}, picture, 404)],
    ['without content', sends({}, Buffer.alloc(0), 204)],
    ['a part', sends({}, picture, 206)],
    [
      'cut off',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '500' })
        response.write(picture.subarray(0, 50))
        setTimeout(() => response.destroy(), 20)
      },
    ],
    ['without end', (_request, response) => void response.write(picture)],
    ['never', () => {}],
  ] as [string, RequestListener][])('that is %s is not a picture', async (_name, listener) => {
    answer = listener
    await expect(get(at(), { timeoutInMilliseconds: 200 })).rejects.toThrow()
  })

  test('is not awaited for a client that has hung up', async () => {
    const gone = new AbortController()
    const closed = new Promise<void>((done) => {
      answer = (request) => void request.once('close', () => done())
    })
    const getting = get(at(), { signal: gone.signal })
    setTimeout(() => gone.abort(new Error('gone')), 50)
    await expect(getting).rejects.toThrow()
    await closed
  })
})

describe('the list of additionally allowed hosts', () => {
  test.each([
    [['loopback'], 'a', '127.0.0.1', true],
    [['loopback'], 'a', '::1', true],
    [['loopback'], 'loopback', '10.0.0.1', false],
    [['10.0.0.0/8'], 'a', '10.255.0.1', true],
    [['10.0.0.0/8'], 'a', '11.0.0.1', false],
    [['192.168.1.7'], 'a', '192.168.1.7', true],
    [['192.168.1.7'], 'a', '192.168.1.8', false],
    [['fd00::/8'], 'a', 'fd00::1', true],
    [['fd00::/8'], 'a', 'fe80::1', false],
    [['pictures.intern'], 'Pictures.Intern', '10.0.0.1', true],
    [['pictures.intern'], 'other.intern', '10.0.0.1', false],
    [[], 'a', '127.0.0.1', false],
  ])('%j takes %s at %s: %j', (entries, host, ip, allowed) => {
    expect(entries.every(isAllowEntry)).toBe(true)
    expect(createAllowList(entries)(host, ip)).toBe(allowed)
  })

  test.each(['10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8', 'a/8', '*', 'http://a.example', '', '-a'])(
    'has no entry %j',
    (entry) => {
      expect(isAllowEntry(entry)).toBe(false)
    },
  )
})

describe('POST /v1/face-verification/detect-faces', () => {
  test('refuses an address of this machine without further details', async () => {
    const host = await startHost()
    const image = { url: at('/', '127.0.0.1') }
    await expect(host.call(detectFaces, { body: { image } })).rejects.toMatchObject({
      code: 'unreadable_image',
      errors: [{ pointer: '#/image/url', message: 'No picture could be fetched from this address.' }],
    })
    expect(asked).toHaveLength(0)
    await host.close()
  })

  test('accepts one that an operator allows', async () => {
    const alsoGetFrom = createAllowList(['loopback'])
    const host = await startHost({
      ports: { outbound: createOutbound({ allowLoopback: false, alsoGetFrom }) },
    })
    const { faces } = await host.call(detectFaces, { body: { image: { url: at('/', '127.0.0.1') } } })
    expect(faces).toHaveLength(1)
    await host.close()
  })
})
