import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutbound } from '#server/platform/http/outbound/outbound.ts'
import { startReceiver } from '../support/programs/receiver.ts'

const corpus = readFileSync(join(import.meta.dirname, '../support/private-hosts.txt'), 'utf8')
  .trim()
  .split('\n')
/** In the private network, but not on this machine. */
const neighbours = [
  '10.0.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '[fd00::1]',
  '[::ffff:7f00:1]',
]

let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver([302])
})
afterAll(() => receiver.close())

function post(host: string, allowLoopback: boolean) {
  const { port } = new URL(receiver.address)
  const resolveName = async () => [{ address: '127.0.0.1', family: 4 }]
  const client = createOutbound({ allowLoopback, resolveName })
  const address = `http://${host}:${port}/hook`
  return client.post({ address, headers: {}, body: '{}', timeoutInMilliseconds: 500 })
}

test.each(corpus)('a webhook does not reach the private network: %s', async (host) => {
  await expect(post(host, false)).rejects.toThrow()
  expect(receiver.received).toHaveLength(0)
})

test.each(neighbours)('nor any other machine where this one is allowed: %s', async (host) => {
  await expect(post(host, true)).rejects.toThrow('not allowed')
  expect(receiver.received).toHaveLength(0)
})

test('and does not follow redirects of a receiver', async () => {
  expect(await post('127.0.0.1', true)).toBe(302)
  expect(receiver.received).toHaveLength(1)
})
