import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createBase64Thread } from '#server/platform/http/requests/base64/base64-thread.ts'
import { loopTurns } from '#server/platform/running/loop-turns.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createEntrySeal, createSealedStore } from '#server/platform/store/sealed/sealed-store.ts'
import { verifyAuditLog } from '#shared/contract/account/audit.ts'
import { exportPerson } from '#shared/contract/account/person.ts'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { createCollection, getAllCollections } from '#shared/contract/recognition/recognition.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { getSessions } from '#shared/contract/sessions/session-list.ts'
import { getUsage } from '#shared/contract/sessions/session-usage.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { newVerification, openSession, step, submit } from '../../../support/visit.ts'

const day = 24 * 3600 * 1000
const many = 40
let host: Host
const decoded: string[] = []
const base64 = createBase64Thread('none', () => {
  throw new Error('No text of this test is long')
})

beforeAll(async () => {
  const seal = createEntrySeal(createKeyRing(Buffer.alloc(32, 7), 'EU'))
  const store = createSealedStore(createMemoryStore(), seal)
  host = await startHost({
    store,
    ports: {
      decodeBase64(text, mostBytes) {
        decoded.push(text)
        return base64(text, mostBytes)
      },
    },
  })
  for (let i = 0; i < many; i++)
    await host.call(createSession, { body: { verifierConfigs: {}, externalId: 'person' } })
  for (let i = 0; i < many; i++) await host.call(createCollection, { body: { collectionId: `c${i}` } })
  await host.services.auditLog.move('all')
})
afterAll(() => host.close())
afterEach(() => vi.restoreAllMocks())

/** How often a read yields if every turn ends immediately. */
async function pausesOf(read: () => Promise<unknown>): Promise<number> {
  vi.spyOn(loopTurns, 'isOver').mockReturnValue(true)
  const next = vi.spyOn(loopTurns, 'next')
  await read()
  return next.mock.calls.length
}

const usageQuery = () => ({
  from: new Date(host.now() - 20 * day).toISOString(),
  to: new Date(host.now()).toISOString(),
  interval: 'hour' as const,
})

describe('a read of many records yields at least once per record:', () => {
  test.each<[string, number, () => Promise<unknown>]>([
    ['the first list of sessions', many, () => host.call(getSessions, { query: {} as never })],
    ['usage', 20 * 24, () => host.call(getUsage, { query: usageQuery() })],
    ['the check of an audit log', many, () => host.call(verifyAuditLog, { query: {} })],
    ['the collections', many, () => host.call(getAllCollections, { query: {} as never })],
    ['the export of a person', 2 * many, () => host.call(exportPerson, { query: { externalId: 'person' } })],
  ])('%s', async (_name, least, read) => {
    expect(await pausesOf(read)).toBeGreaterThanOrEqual(least)
  })
})

describe('the decoder of a process', () => {
  test('receives the pictures of analyses, steps and submissions', async () => {
    decoded.length = 0
    await host.call(detectFaces, { body: { image: { bytes: '####' } } }).catch(() => undefined)
    expect(decoded).toEqual(['####'])
    const opened = await openSession(host, await newVerification(host))
    await step(host, opened, 0, { person: 'anna' })
    expect(decoded).toHaveLength(2)
    await submit(host, opened, { person: 'anna' })
    expect(decoded).toHaveLength(3)
  })
})
