import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOutbound } from '#server/platform/http/outbound/outbound.ts'
import { productVersion } from '#server/platform/running/product-version.ts'

const named = `Selfsame/${productVersion}`

/** A receiver behind a firewall that rejects clients without a user agent. */
let server: Server
let address: string
let senders: (string | undefined)[]
beforeEach(async () => {
  senders = []
  server = createServer((request, response) => {
    const { 'user-agent': sender } = request.headers
    senders.push(sender)
    if (sender === undefined) return void response.writeHead(403).end()
    if (request.url === '/moved') return void response.writeHead(302, { location: '/' }).end()
    response.writeHead(200).end('picture')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const outbound = createOutbound({ allowLoopback: true, alsoGetFrom: () => true })
const post = (headers: Record<string, string> = {}) =>
  outbound.post({ address, headers, body: '{}', timeoutInMilliseconds: 60_000 })
const get = (path: string) =>
  outbound.get({
    address: address + path,
    signal: new AbortController().signal,
    mostRedirects: 3,
    mostBytes: 1e6,
    timeoutInMilliseconds: 60_000,
  })

describe('a request of the product names the product and its version, and nothing of the machine', () => {
  // The case that was reported, followed by related ones.
  test('a webhook', async () => {
    expect(await post()).toBe(200)
    expect(senders).toEqual([named])
  })

  test('a webhook whose headers name their own sender', async () => {
    expect(await post({ 'User-Agent': 'node' })).toBe(200)
    expect(senders).toEqual([named])
  })

  test('a picture by its address', async () => {
    await get('/')
    expect(senders).toEqual([named])
  })

  test('a picture that has moved, at each address', async () => {
    await get('/moved')
    expect(senders).toEqual([named, named])
  })
})
