import { expect, test } from 'vitest'
import { createLookUp, inTurn } from '#server/app/passes/look-up.ts'
import { findInStore } from '#server/app/passes/store-findings.ts'
import { createUnreadableRecords } from '#server/app/passes/unreadable-records.ts'
import { readSettings } from '#server/app/settings.ts'
import { warmCollections } from '#server/features/recognition/collections/warm-collections.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createEntrySeal, createSealedStore } from '#server/platform/store/sealed/sealed-store.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import { addFace, newCollection } from '../../../support/drawn/gallery.ts'
import { startHost } from '../../../support/host.ts'
import { newVerification, openSession } from '../../../support/visit.ts'

const keyRing = createKeyRing(Buffer.alloc(32, 8), 'EU')

/** A host that has records of every kind, and a store that reports what it left out. */
async function begin() {
  const behind = createMemoryStore()
  const kinds: string[] = []
  const onUnreadable = (key: string) => void kinds.push(key.slice(0, key.indexOf('/')))
  const store = createSealedStore(behind, createEntrySeal(keyRing), { onUnreadable })
  const host = await startHost({ store, ports: { keyRing } })
  const collectionId = await newCollection(host)
  await addFace(host, collectionId, { person: 'anna' })
  await host.call(createVerification, { body: { name: 'Whole' } })
  await openSession(host, await newVerification(host))
  return { behind, kinds, host, collectionId }
}

/** Damages the first record of one kind, as a disk fault would. */
async function damage(behind: ReturnType<typeof createMemoryStore>, kind: string): Promise<void> {
  for await (const { key, value } of behind.list(`${kind}/`)) {
    const damaged = Buffer.from(value)
    damaged[damaged.length - 1]! ^= 1
    return behind.put(key, damaged)
  }
  throw new Error(`There is no ${kind}.`)
}

const given = {
  settings: readSettings({}),
  isConfiguration: true,
  mayPrintCode: false,
  onFailure: (error: unknown) => {
    throw error
  },
}

test.each(['collection', 'verification', 'account'])(
  'an unreadable record of %s is left out by the passes over the store at a start, and reported',
  async (kind) => {
    const { behind, kinds, host } = await begin()
    await damage(behind, kind)
    await findInStore(host.services, given)
    expect(kinds).toContain(kind)
    await host.close()
  },
)

test.each(['open-session', 'pending-delivery', 'collection-erasure', 'picture-log', 'token-key'])(
  'a sweep skips an unreadable record of %s and goes on',
  async (kind) => {
    const { behind, kinds, host } = await begin()
    const { expireOverdue, deliveries, recognition, tokenKeys } = host.services
    await behind.put(`${kind}/47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU/x`, Buffer.from([1, 2, 3]))
    await expireOverdue()
    await deliveries.resume()
    await recognition.finishErasures()
    host.pass(3_600_000)
    await tokenKeys.current()
    if (kind !== 'picture-log') expect(kinds).toContain(kind)
    await host.close()
  },
)

test('an unreadable collection does not prevent the warm-up of others', async () => {
  const { behind, host, collectionId } = await begin()
  await damage(behind, 'collection')
  const failures: unknown[] = []
  const { accounts, recognition } = host.services
  const ids = [collectionId, 'nobody has it']
  const missing = await warmCollections(accounts, recognition.access, ids, (error) => failures.push(error))
  expect(missing).toContain('nobody has it')
  await host.close()
})

test('the failure of one pass is reported, and stops none of the others', async () => {
  const done: string[] = []
  const told: unknown[] = []
  const fails = async () => {
    throw new Error('unreadable')
  }
  await inTurn([fails, async () => done.push('next'), fails], (error) => told.push(error))
  expect([done, told.length]).toEqual([['next'], 2])
  expect(await createLookUp((error) => told.push(error))(fails, 'instead')).toBe('instead')
})

test('an unreadable record is counted each time, and logged once per kind, without its contents', () => {
  const counted: string[] = []
  const told: string[] = []
  const records = createUnreadableRecords(
    { recordUnreadable: (kind) => counted.push(kind) },
    (_error, text) => told.push(text),
  )
  for (const kind of ['collection', 'collection', 'delivery']) records.tell(kind, new Error('x'))
  expect(counted).toEqual(['collection', 'collection', 'delivery'])
  expect(told).toEqual([
    'A record of collection was skipped because it cannot be read',
    'A record of delivery was skipped because it cannot be read',
  ])
})
