import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { countKey, createUsageCounts, lengthOf } from '#server/features/sessions/usage/usage-counts.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Write } from '#server/platform/store/store.ts'

test('a long list lets other work in between', async () => {
  const store = createMemoryStore()
  const hours = 250
  for (let hour = 0; hour < hours; hour++) {
    const at = hour * lengthOf.hour
    const names = Array.from({ length: 20 }, (_, i) => `seconds/${i}`)
    const writes = names.map(
      (name): Write => ({
        kind: 'add',
        key: countKey('a', { at, interval: 'hour', verificationId: 'v', name }),
        more: 1,
        expiresInSeconds: 1000,
      }),
    )
    await store.commit(writes, [])
  }
  let turns = 0
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      await turn()
      turns++
    }
  })()
  let counts = 0
  const counted = createUsageCounts(store).list('a', {
    interval: 'hour',
    from: 0,
    to: hours * lengthOf.hour,
    isSplit: false,
  })
  for await (const { count } of counted) counts += count
  isOver = true
  await others
  expect(counts).toBe(hours * 20)
  expect(turns).toBeGreaterThanOrEqual(5)
})
