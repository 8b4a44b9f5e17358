import { expect, test } from 'vitest'
import { createPulse } from '#server/features/sessions/early-pictures/pulse.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'

const busy = () => false

test('every batch waits until the other processes can know that this one is alive', async () => {
  const store = createMemoryStore()
  let letGo = () => {}
  const gate = new Promise<void>((over) => {
    letGo = over
  })
  const put: typeof store.put = async (...entry) => {
    await gate
    return store.put(...entry)
  }
  const pulse = createPulse({ ...store, put })
  const other = createPulse(store)
  const knownAlive = [1, 2].map(async () => {
    await pulse.begin(busy)
    return other.isAlive(pulse.by)
  })
  await new Promise(setImmediate)
  letGo()
  expect(await Promise.all(knownAlive)).toEqual([true, true])
  pulse.stop()
})

test('a store that fails once is asked again by the next batch', async () => {
  const store = createMemoryStore()
  let fails = true
  const put: typeof store.put = async (...entry) => {
    if (fails) throw new Error('The store failed.')
    return store.put(...entry)
  }
  const pulse = createPulse({ ...store, put })
  await expect(pulse.begin(busy)).rejects.toThrow('The store failed.')
  fails = false
  await pulse.begin(busy)
  expect(await createPulse(store).isAlive(pulse.by)).toBe(true)
  pulse.stop()
})
