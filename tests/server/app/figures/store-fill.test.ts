import { expect, test } from 'vitest'
import { storeFillOf } from '#server/app/figures/store-fill.ts'

const settings = { dataDir: '.', upkeep: {} } as never
const opened = (more: object) =>
  ({
    bytes: async () => 75,
    mostBytes: async () => undefined,
    traits: undefined,
    writes: { trouble: () => undefined },
    ...more,
  }) as never

test('is the share of a Redis server’s limit', async () => {
  const fill = await storeFillOf(opened({ mostBytes: async () => 100, traits: {} }), settings)
  expect(fill).toEqual({ share: 0.75, isRefusing: false })
})

test('is the share of the disk if the store is embedded, and unknown on another server', async () => {
  const { share } = await storeFillOf(opened({}), settings)
  expect(share).toBeGreaterThan(0)
  expect(share).toBeLessThan(1)
  expect((await storeFillOf(opened({ traits: {} }), settings)).share).toBeUndefined()
})

test('says that the store refuses writes', async () => {
  const writes = { trouble: () => 'The disk is full' }
  expect((await storeFillOf(opened({ writes }), settings)).isRefusing).toBe(true)
})
