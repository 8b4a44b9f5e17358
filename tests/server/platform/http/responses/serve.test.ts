import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import Koa from 'koa'
import { expect, test } from 'vitest'
import { serve } from '#server/platform/http/responses/serve.ts'

/** More than the system buffers for a reader that never reads. */
const large = 'x'.repeat(64 * 1024 * 1024)

/** A server with one large answer. Returns how many connections are left after the client has not read for a while. */
async function serveLarge(leastBytesPerSecond: number) {
  const app = new Koa()
  app.use((ctx) => {
    ctx.body = large
  })
  const server = createServer()
  const taking = { graceInMilliseconds: 100, leastBytesPerSecond }
  serve(server, app, { headers: { embedOrigins: [], demo: false, https: false }, observe: () => {}, taking })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const ended = new Promise<void>((done) =>
    server.once('connection', (socket) => socket.once('close', () => done())),
  )
  const client = connect(port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')).pause()
  client.on('error', () => undefined)
  const close = async () => {
    client.destroy()
    server.closeAllConnections()
    await new Promise<void>((closed) => server.close(() => closed()))
  }
  return { client, ended, close }
}

test('an idle connection is kept for longer than by proxies and load balancers', async () => {
  const server = createServer()
  const app = new Koa().use((ctx) => {
    ctx.body = 'here'
  })
  serve(server, app, { headers: { embedOrigins: [], demo: false, https: false }, observe: () => {} })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  expect(await answer.text()).toBe('here')
  expect(Number(/timeout=(\d+)/.exec(answer.headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(60)
  server.closeAllConnections()
  await new Promise<void>((closed) => server.close(() => closed()))
})

test('a request has 15 seconds for its head, and a minute for all of it', () => {
  const server = createServer()
  serve(server, new Koa(), { headers: { embedOrigins: [], demo: false, https: false }, observe: () => {} })
  expect([server.headersTimeout, server.requestTimeout]).toEqual([15_000, 60_000])
})

const within = (work: Promise<void>, milliseconds: number) =>
  Promise.race([work.then(() => 'cut'), new Promise((over) => setTimeout(over, milliseconds, 'held'))])

test('an unread answer is cut off after its time', async () => {
  const { ended, close } = await serveLarge(1_000_000_000)
  expect(await within(ended, 60_000)).toBe('cut')
  await close()
})

test('the time grows with the unread bytes', async () => {
  const { ended, close } = await serveLarge(1024)
  expect(await within(ended, 500)).toBe('held')
  await close()
})
