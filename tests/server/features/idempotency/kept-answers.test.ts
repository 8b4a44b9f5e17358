import { createHmac } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { createKeptAnswers } from '#server/features/idempotency/kept-answers.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { loopTurns } from '#server/platform/running/loop-turns.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'

afterEach(() => vi.restoreAllMocks())

test('a request is digested piece by piece, with the same digest as in one go', async () => {
  const keyRing = createKeyRing(Buffer.alloc(32, 7), 'EU')
  const answers = createKeptAnswers({
    store: createMemoryStore(),
    keyRing,
    accounts: { find: async () => undefined, personDigest: () => '' },
    now: Date.now,
  })
  vi.spyOn(loopTurns, 'isOver').mockReturnValue(true)
  const next = vi.spyOn(loopTurns, 'next')
  const pieces = ['["",{"a":"', 'é'.repeat(100), '😀', '"}]']
  const whole = createHmac('sha256', keyRing.derive('idempotency'))
    .update(pieces.join(''))
    .digest('base64url')
  expect(await answers.digestOf(pieces)).toBe(whole)
  expect(next).toHaveBeenCalledTimes(pieces.length)
})
