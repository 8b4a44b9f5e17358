import { expect, test } from 'vitest'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createSteadyStore } from '#server/platform/store/steady-store.ts'
import { putOf, WriteFailed } from '#server/platform/store/store.ts'
import { createLog } from '#server/platform/telemetry/log.ts'
import { takeOver } from '#server/platform/telemetry/open-log.ts'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { createCollection } from '#shared/contract/recognition/recognition.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { astronaut, bytesOf } from '../../../support/upload.ts'

interface Line {
  level: string
  error?: string
  requestId?: string
  heldBack?: number
  firstRequestIds?: string[]
  lastRequestIds?: string[]
}

const requests = 30
const stack = /\n\s+at /

/** A host and its log. Its store and analysis fail once `fail` has been called. */
async function start() {
  const lines: Line[] = []
  let failures = 0
  const log = createLog(
    'error',
    { write: (text) => void lines.push(JSON.parse(text)) },
    { onFailure: () => void failures++, onWarning: () => undefined },
  )
  const memory = createMemoryStore()
  let isFull = false
  const commit: typeof memory.commit = async (writes, guards) => {
    if (isFull) throw new WriteFailed('ENOSPC')
    return memory.commit(writes, guards)
  }
  const store = createSteadyStore(
    { ...memory, commit, put: (key, value) => commit([putOf(key, value)], []).then(() => undefined) },
    {
      onChange: (trouble) =>
        log.failure(new Error(`The store refuses writes: ${trouble}`), 'The store failed'),
    },
  )
  const host = await startHost({
    store,
    ports: { onFailure: (error, requestId) => log.failure(error, 'Not recorded', requestId) },
    site: { log },
  })
  const fill = () => {
    isFull = true
  }
  return { host, log, lines, fill, failures: () => failures }
}

const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    ({ status }: { status: number }) => status,
  )
const collection = (host: Host, name: string) => host.call(createCollection, { body: { collectionId: name } })

test('a full disk writes a line of each kind, not one for each refused write, and summarises the rest', async () => {
  const { host, log, lines, fill, failures } = await start()
  fill()
  const answers: number[] = []
  for (let i = 0; i < requests; i++) answers.push(await statusOf(collection(host, `c${i}`)))
  expect(new Set(answers)).toEqual(new Set([503]))
  // In the meantime, periodic writes such as the log of calls may fail on their own.
  expect(lines.length).toBeLessThanOrEqual(5)
  const written = lines.length
  await log.flush()
  const held = lines.filter(({ heldBack = 0 }) => heldBack >= requests - 1)
  expect(held).toHaveLength(1)
  expect(held[0]).toMatchObject({ level: 'error' })
  expect(held[0]!.firstRequestIds).toHaveLength(3)
  expect(held[0]!.lastRequestIds).toHaveLength(3)
  for (const id of [...held[0]!.firstRequestIds!, ...held[0]!.lastRequestIds!])
    expect(id).toMatch(/^[\da-f-]{36}$/)
  const told = lines.reduce((sum, { heldBack }) => sum + (heldBack ?? 1), 0)
  expect(told).toBeGreaterThanOrEqual(requests + 1)
  expect(failures()).toBe(told)
  const stacks = lines.map(({ error }) => error!).filter((error) => stack.test(error))
  expect(stacks).toHaveLength(written)
  expect(new Set(stacks).size).toBe(written)
  await host.close()
})

test.each([
  [
    'a store that is away',
    (host: Host) => {
      host.store.get = () => Promise.reject(new Error('Socket closed unexpectedly'))
    },
    (host: Host, i: number) => collection(host, `c${i}`),
  ],
  [
    'a decoder that fails',
    (host: Host) => {
      host.analysis.analyse = () => Promise.reject(new Error('VipsJpeg: out of memory'))
    },
    (host: Host) => host.call(detectFaces, { body: { image: bytesOf(astronaut) } }),
  ],
] as const)('%s writes a line, and summarises the rest', async (_name, fail, ask) => {
  const { host, log, lines, failures } = await start()
  fail(host)
  const answers: number[] = []
  for (let i = 0; i < requests; i++) answers.push(await statusOf(ask(host, i)))
  expect(new Set(answers)).toEqual(new Set([500]))
  const written = lines.length
  expect(written).toBeLessThanOrEqual(5)
  expect(lines[0]!.requestId).toMatch(/^[\da-f-]{36}$/)
  await log.flush()
  expect(lines.filter(({ error }) => stack.test(error!))).toHaveLength(written)
  expect(lines.reduce((sum, { heldBack }) => sum + (heldBack ?? 1), 0)).toBe(failures())
  expect(failures()).toBeGreaterThanOrEqual(requests)
  await host.close()
})

test('the output of a library is a line of the log, and is rate-limited too', async () => {
  const lines: Line[] = []
  const log = createLog('error', { write: (text) => void lines.push(JSON.parse(text)) })
  const printing = { error: console.error, warn: console.warn }
  takeOver(printing, log)
  for (let i = 0; i < requests; i++) {
    printing.error('Commit failed', new Error('MDB_PROBLEM'))
    printing.warn('%d is deprecated', i)
  }
  expect(lines.map(({ error }) => error!.split('\n')[0])).toEqual(['Error: MDB_PROBLEM', '0 is deprecated'])
  await log.flush()
  expect(lines.slice(2)).toMatchObject([{ heldBack: requests - 1 }, { heldBack: requests - 1 }])
})
