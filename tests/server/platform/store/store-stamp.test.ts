import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createReadyz } from '#server/app/readiness.ts'
import { readSettings } from '#server/app/settings.ts'
import { faceForms } from '#server/features/recognition/faces/stored-face.ts'
import { productVersion } from '#server/platform/running/product-version.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import type { Store } from '#server/platform/store/store.ts'
import { outgrown, readStamp, storeFormat } from '#server/platform/store/store-stamp.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { verifyAuditLog } from '#shared/contract/account/audit.ts'
import { getAllVerifications, getVerification } from '#shared/contract/configuration/verification.ts'
import { searchFace } from '#shared/contract/recognition/recognition.ts'
import { imageOf } from '../../../support/drawn/gallery.ts'
import { startHost } from '../../../support/host.ts'
import { fillFromFixture, fixtureSecret } from '../../../support/stores/fixture.ts'

const settings = readSettings({ SECRET: fixtureSecret, DATA_DIR: '/nowhere' })

async function stamp(store: Store, format: number, leastReader: number): Promise<void> {
  const later = { format, leastReader, region: 'EU', program: '7.0.0' }
  await createTable(store, 'store-stamp').put(deployment, 'stamp', later)
}

test('the version of the program is that of the package', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(productVersion)
})

test('a new store has the format of the program, and keeps it', async () => {
  const store = createMemoryStore()
  expect(await readStamp(store, 'EU')).toBe(storeFormat)
  expect(await readStamp(store, 'EU')).toBe(storeFormat)
})

test.each(['format-1.jsonl', 'format-2.jsonl'])(
  'a store of an earlier release (%s) is opened with all that it holds',
  async (name) => {
    const behind = createMemoryStore()
    const { apiKey, collectionId } = await fillFromFixture(behind, name)
    const { keyRing, store } = await openKeyRing(behind, settings, { forms: faceForms })
    const host = await startHost({ store, ports: { keyRing } })
    const { verifications } = await host.call(getAllVerifications, { apiKey })
    const { verificationId } = verifications[0]!
    const { verification } = await host.call(getVerification, { apiKey, query: { verificationId } })
    expect(verification).toMatchObject({
      name: 'Opening an account',
      verificationConfig: { webhookConfig: { eventCallbackUrl: 'https://hooks.bank.example/events' } },
    })
    const image = imageOf({ person: 'anna' })
    expect(await host.call(searchFace, { apiKey, body: { collectionId, image } })).toMatchObject({
      hasFace: true,
      faceId: expect.any(String),
    })
    expect(await host.call(verifyAuditLog, { apiKey, query: {} })).toMatchObject({ valid: true })
    for await (const { key, value } of behind.list('')) {
      expect([key, Buffer.from(value).includes('hooks.bank.example')]).toEqual([key, false])
    }
    expect(await readStamp(behind, 'EU')).toBe(storeFormat)
    await host.close()
  },
)

test('an upgrade that was cut short goes on where it was', async () => {
  const behind = createMemoryStore()
  const { apiKey } = await fillFromFixture(behind, 'format-1.jsonl')
  const cut: Store = {
    ...behind,
    commit: async (writes, guards) => {
      if (writes.length < 5) return behind.commit(writes, guards)
      await behind.commit(writes.slice(0, 5), [])
      throw new Error('The power is gone')
    },
  }
  await expect(openKeyRing(cut, settings, { forms: faceForms })).rejects.toThrow('The power is gone')
  const { keyRing, store } = await openKeyRing(behind, settings, { forms: faceForms })
  const host = await startHost({ store, ports: { keyRing } })
  expect(await host.call(verifyAuditLog, { apiKey, query: {} })).toMatchObject({ valid: true })
  await host.close()
})

test('a store that takes a later program stops the start, in words', async () => {
  const store = createMemoryStore()
  await openKeyRing(store, settings, { forms: faceForms })
  await stamp(store, storeFormat + 1, storeFormat + 1)
  const refused = openKeyRing(store, settings, { forms: faceForms })
  await expect(refused).rejects.toThrow(/format 4, which Selfsame 7\.0\.0 made.*start the later program/)
})

test('a store of a later program that this one can still read is opened, and keeps its stamp', async () => {
  const store = createMemoryStore()
  await openKeyRing(store, settings, { forms: faceForms })
  await stamp(store, storeFormat + 1, storeFormat)
  await openKeyRing(store, settings, { forms: faceForms })
  expect(await readStamp(store, 'EU')).toBe(storeFormat + 1)
})

test('a program from before the stamp reads words in the place of its region', async () => {
  const store = createMemoryStore()
  await openKeyRing(store, settings, { forms: faceForms })
  expect(await createTable<string>(store, 'region').get(deployment, 'region')).toBe(
    `EU (format ${storeFormat}: takes Selfsame ${productVersion} or later)`,
  )
})

test('a server whose store is raised by a later program says so in readyz', async () => {
  const store = createMemoryStore()
  await openKeyRing(store, settings, { forms: faceForms })
  const tokenKeys = { current: async () => ({}) } as never
  const readyz = createReadyz({ store, tokenKeys, phase: () => 'serving' })
  expect(await readyz({} as never)).toMatchObject({ ready: true })
  expect(await outgrown(store)).toBeUndefined()
  await stamp(store, 9, 9)
  await expect(readyz({} as never)).rejects.toThrow('start the later program')
})
