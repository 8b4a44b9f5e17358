import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startRelay } from '#lab/bench/weak-link/relay.ts'

const stops: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Delays everything, as a busy machine does. */
function block(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until; );
}

test('a relay on a busy machine delivers the bytes of a connection in their order', async () => {
  const sent = Buffer.from(Uint32Array.from({ length: 150_000 }, (_, i) => i).buffer)
  const server = createServer((socket) => socket.end(sent)).listen(0, '127.0.0.1')
  stops.push(() => void server.close())
  await new Promise((listening) => server.once('listening', listening))
  const { port } = server.address() as AddressInfo
  const link = { down: 40, up: 40, roundTrip: 20 }
  const relay = await startRelay(new URL(`http://127.0.0.1:${port}`), link)
  stops.push(() => relay.stop())
  const busy = setInterval(() => block(Math.random() * 8), 3)
  stops.push(() => clearInterval(busy))
  const client = connect(Number(new URL(relay.origin).port), '127.0.0.1')
  const received: Buffer[] = []
  for await (const data of client) {
    received.push(data as Buffer)
    block(2)
  }
  expect(Buffer.concat(received).equals(sent)).toBe(true)
})
