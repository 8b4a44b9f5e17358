import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createHeadSender } from '#server/features/audit/heads/head-sender.ts'
import { readReportedHeads } from '#server/features/audit/heads/reported-heads.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createOutbound } from '#server/platform/http/outbound/outbound.ts'
import { startReceiver } from '../../../../support/programs/receiver.ts'

const folder = await mkdtemp(join(tmpdir(), 'selfsame-sender-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const now = () => Date.parse('2026-01-02T03:04:05.000Z')
const told = (accountId: string, sequence: number) => ({
  time: '2026-01-02T03:04:05.000Z',
  accountId,
  sequence,
  hash: 'h',
})

function senderTo(targets: Parameters<typeof createHeadSender>[0]['targets']) {
  const failures: unknown[] = []
  const outbound = createOutbound({ allowLoopback: true })
  return {
    failures,
    ...createHeadSender({ targets, outbound, now, onFailure: (error) => failures.push(error) }),
  }
}

test('writes heads to the log of the process', async () => {
  const records: unknown[] = []
  const outbound = createOutbound({ allowLoopback: true })
  const onFailure = (error: unknown) => expect(error).toBeUndefined()
  const sender = createHeadSender({
    ...{ targets: [{ kind: 'log' }], outbound, now, onFailure },
    onRecord: (head) => records.push(head),
  })
  for (const sequence of [1, 2]) sender.tell('shop', { sequence, hash: 'h' })
  await sender.flush()
  expect(records).toEqual([told('shop', 2)])
})

test('sends the newest head of each account to a file, a syslog server and a webhook by itself', async () => {
  const syslog = createSocket('udp4').bind(0, '127.0.0.1')
  await once(syslog, 'listening')
  const receiver = await startReceiver([])
  const path = join(folder, 'heads')
  const { failures, ...sender } = senderTo([
    { kind: 'file', path },
    { kind: 'syslog', host: '127.0.0.1', port: (syslog.address() as AddressInfo).port },
    { kind: 'webhook', address: receiver.address },
  ])
  const datagram = once(syslog, 'message')
  for (const sequence of [1, 2, 3]) sender.tell('shop', { sequence, hash: 'h' })
  const [message] = (await datagram) as [Buffer]
  await sender.flush()
  const head = JSON.stringify(told('shop', 3))
  expect(String(message)).toBe(
    `<110>1 2026-01-02T03:04:05.000Z - selfsame ${process.pid} audit-head - ${head}`,
  )
  expect(await readFile(path, 'utf8')).toBe(`${head}\n`)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(JSON.parse(receiver.received[0]!.body)).toEqual({ auditHeads: [told('shop', 3)] })
  expect(failures).toEqual([])
  syslog.close()
  receiver.close()
})

test('a failure at one destination is reported, and the others still receive the heads', async () => {
  const path = join(folder, 'others')
  const { failures, ...sender } = senderTo([
    { kind: 'file', path: join(folder, 'nowhere', 'heads') },
    { kind: 'webhook', address: 'http://127.0.0.1:1/' },
    { kind: 'file', path },
  ])
  sender.tell('shop', { sequence: 1, hash: 'h' })
  await sender.flush()
  expect(failures).toHaveLength(2)
  expect(await readFile(path, 'utf8')).toBe(`${JSON.stringify(told('shop', 1))}\n`)
})

test('a receiver that answers an error is reported', async () => {
  const receiver = await startReceiver([500])
  const { failures, ...sender } = senderTo([{ kind: 'webhook', address: receiver.address }])
  sender.tell('shop', { sequence: 1, hash: 'h' })
  await sender.flush()
  expect(String(failures)).toContain('answered 500')
  receiver.close()
})

test('creates the folder of its default file, and of no other', async () => {
  const own = join(folder, 'new', 'heads.jsonl')
  const { failures, ...sender } = senderTo([
    { kind: 'file', path: own, isOwn: true },
    { kind: 'file', path: join(folder, 'other', 'heads') },
  ])
  sender.tell('shop', { sequence: 1, hash: 'h' })
  await sender.flush()
  expect(await readFile(own, 'utf8')).toBe(`${JSON.stringify(told('shop', 1))}\n`)
  expect(failures).toHaveLength(1)
})

test('a revocation after a torn line is read', async () => {
  const path = join(folder, 'torn')
  const keyRing = createKeyRing(Buffer.alloc(32, 8), 'EU')
  const post = async () => 200
  const onFailure = (error: unknown) => {
    throw error
  }
  const sender = createHeadSender({
    targets: [{ kind: 'file', path }],
    keyRing,
    outbound: { post },
    now,
    onFailure,
  })
  sender.tell('shop', { sequence: 1, hash: 'h' })
  await sender.flush()
  // The state that a full disk or a kill leaves behind.
  await appendFile(path, '{"time":"2026-01-02T03:04')
  sender.tell('shop', { sequence: 2, hash: 'h' }, [{ kind: 'key', id: 'lost', at: 1 }])
  await sender.flush()
  const { heads, withdrawals } = await readReportedHeads(path, keyRing)
  expect(withdrawals.map(({ revoked }) => revoked.id)).toEqual(['lost'])
  expect(heads.get('shop')?.sequence).toBe(2)
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(5)
})
