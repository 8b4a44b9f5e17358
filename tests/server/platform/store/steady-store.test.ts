import { describe, expect, test, vi } from 'vitest'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createSteadyStore } from '#server/platform/store/steady-store.ts'
import { putOf, removalOf, type Store, WriteFailed } from '#server/platform/store/store.ts'
import { createCollection, getAllCollections } from '#shared/contract/recognition/recognition.ts'
import { startHost } from '../../../support/host.ts'

const bytes = Buffer.from('a')

/** A store with a disk that the test can fill up. */
function start() {
  const disk = { full: false, commits: 0 }
  const memory = createMemoryStore()
  const commit: Store['commit'] = async (...both) => {
    disk.commits++
    if (disk.full) throw new WriteFailed('No space left on device')
    return memory.commit(...both)
  }
  const put: Store['put'] = async (key, value) => void (await commit([putOf(key, value)], []))
  const remove: Store['remove'] = async (key) => void (await commit([removalOf(key)], []))
  const told: (string | undefined)[] = []
  const store = createSteadyStore(
    { ...memory, commit, put, remove },
    { onChange: (trouble) => told.push(trouble), triedAgainAfterInMilliseconds: 20 },
  )
  return { disk, store, told }
}

describe('a store whose disk is full', () => {
  test('answers writes with store_read_only, and serves reads', async () => {
    const { disk, store } = start()
    await store.put('a', bytes)
    disk.full = true
    const refused = { code: 'store_read_only', status: 503, retryAfterInSeconds: 5 }
    await expect(store.put('b', bytes)).rejects.toMatchObject(refused)
    expect(await store.get('a')).toEqual(bytes)
    expect(await store.get('b')).toBeUndefined()
    const listed = []
    for await (const { key } of store.list('')) listed.push(key)
    expect(listed).toEqual(['a'])
    await store.close()
  })

  test('gets no further writes until it has room; the start and the end are logged once each', async () => {
    const { disk, store, told } = start()
    disk.full = true
    for (const key of ['a', 'b', 'c']) await expect(store.put(key, bytes)).rejects.toThrow()
    expect([told, store.trouble(), store.failures()]).toEqual([
      ['No space left on device'],
      'No space left on device',
      1,
    ])
    disk.full = false
    await vi.waitFor(() => expect(store.trouble()).toBeUndefined())
    expect(told).toEqual(['No space left on device', undefined])
    await store.put('a', bytes)
    expect(await store.get('a')).toEqual(bytes)
    expect(await store.get('write-probe')).toBeUndefined()
  })

  test('stays closed while it is full, and tries again by itself', async () => {
    const { disk, store, told } = start()
    disk.full = true
    await expect(store.put('a', bytes)).rejects.toThrow()
    await vi.waitFor(() => expect(disk.commits).toBeGreaterThan(3))
    expect(told).toHaveLength(1)
    await store.close()
  })

  test('still erases what has expired', async () => {
    const { disk, store } = start()
    disk.full = true
    await expect(store.put('a', bytes)).rejects.toThrow()
    expect(await store.sweep()).toBe(0)
    await store.close()
  })
})

test('an unrelated error is passed on, and closes nothing', async () => {
  const memory = createMemoryStore()
  const commit = () => Promise.reject(new Error('a bug'))
  const store = createSteadyStore({ ...memory, commit }, { onChange: () => {} })
  await expect(store.put('a', bytes)).rejects.toThrow('a bug')
  expect(store.trouble()).toBeUndefined()
})

test('a request that writes is a 503 with Retry-After, and a read is answered', async () => {
  const { disk, store } = start()
  const host = await startHost({ store })
  disk.full = true
  const headers = { authorization: `ApiKey ${host.apiKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ collectionId: 'members' })
  const written = await host.fetch(createCollection.path, { method: 'POST', headers, body })
  expect([written.status, written.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await written.json()).toMatchObject({ code: 'store_read_only', status: 503 })
  expect((await host.fetch(getAllCollections.path, { headers })).status).toBe(200)
  disk.full = false
  await vi.waitFor(() => expect(store.trouble()).toBeUndefined())
  expect((await host.fetch(createCollection.path, { method: 'POST', headers, body })).status).toBe(200)
  await host.close()
})
