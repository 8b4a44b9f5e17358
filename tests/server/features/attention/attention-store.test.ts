import { expect, test } from 'vitest'
import { createAttentionStore } from '#server/features/attention/attention-store.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { usualAttentionLimits } from '#shared/contract/account/attention.ts'

test('two changes of different limits at once are both kept', async () => {
  const { changeLimits, limitsOf } = createAttentionStore(createMemoryStore())
  await Promise.all([changeLimits('a', { kioskHours: 2 }), changeLimits('a', { reviewHours: 3 })])
  expect(await limitsOf('a')).toEqual({ ...usualAttentionLimits, kioskHours: 2, reviewHours: 3 })
})
