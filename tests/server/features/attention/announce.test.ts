import { expect, test } from 'vitest'
import { createAnnounce } from '#server/features/attention/announce.ts'
import { createAttentionStore } from '#server/features/attention/attention-store.ts'
import type { Condition } from '#server/features/attention/condition.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { putOf } from '#server/platform/store/store.ts'

const minute = 60_000
const start = 1_800_000_000_000 - (1_800_000_000_000 % (60 * minute))

/** Processes that share a store, and the kinds of what they sent. Each finds these conditions in another order. */
function together(processes: number, conditions: readonly Condition[], endpoints = 1) {
  let time = start
  const now = () => time
  const store = createMemoryStore(now)
  const records = createAttentionStore(store)
  const sent: string[] = []
  const announces = Array.from({ length: processes }, (_, i) =>
    createAnnounce({
      store,
      records,
      findConditions: async () => (i % 2 === 0 ? [...conditions] : conditions.toReversed()),
      events: {
        receivers: async () => 1,
        prepare: async (_account, event) => ({
          writes: endpoints === 0 ? [] : [putOf(`delivery/${crypto.randomUUID()}`, Buffer.from('x'))],
          send: () => void (endpoints > 0 && 'kind' in event && sent.push(event.kind)),
        }),
      },
      now,
    }),
  )
  return {
    sent,
    records,
    now,
    async pass(minutes: number) {
      for (let i = 0; i < minutes; i++) {
        await Promise.all(announces.map((announce) => announce('a')))
        time += minute
      }
    },
  }
}

const unseen = (count: number) =>
  Array.from({ length: count }, (_, i): Condition => {
    return { kind: 'kioskUnseen', subject: { type: 'kiosk', id: String(i) }, since: start }
  })

test('several processes together send at most 50 events and one of the kind many in an hour', async () => {
  const { sent, pass } = together(3, unseen(70))
  await pass(50)
  expect(sent.filter((kind) => kind === 'kioskUnseen')).toHaveLength(50)
  expect(sent.filter((kind) => kind === 'many')).toHaveLength(1)
})

test('an event that no endpoint receives does not count', async () => {
  const { records, pass, now } = together(1, unseen(3), 0)
  await pass(10)
  const transaction = { hold: () => undefined } as never
  expect(await records.sentInHour(transaction, 'a', now())).toBe(0)
})
