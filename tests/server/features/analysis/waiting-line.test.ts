import { expect, test } from 'vitest'
import { createScheduler, type Turn } from '#server/features/analysis/scheduler.ts'

/** One slot, and pictures that keep it until they are ended. */
function start() {
  const limits = { places: 64, pixels: 80, patienceInMilliseconds: 60_000 }
  const scheduler = createScheduler(['one'], limits, () => 0)
  const started: string[] = []
  const held: Turn<string>[] = []
  const { signal } = new AbortController()
  const settle = () => new Promise((done) => setImmediate(done))
  return {
    started,
    async come(name: string, accountId: string, isEarly?: () => boolean) {
      void scheduler.acquire({ accountId, pixels: 1, signal, ...(isEarly && { isEarly }) }).then((turn) => {
        started.push(name)
        held.push(turn)
      })
      await settle()
    },
    async end() {
      held.shift()!.release()
      await settle()
    },
  }
}

test('early pictures give way to what came later in their own account, and to that alone', async () => {
  const { started, come, end } = start()
  await come('first', 'a')
  await come('early of a', 'a', () => true)
  await come('early of b', 'b', () => true)
  await come('closing of a', 'a')
  for (let i = 0; i < 3; i++) await end()
  expect(started).toEqual(['first', 'early of b', 'closing of a', 'early of a'])
})

test('a picture that is early no more has its place again, before what came later', async () => {
  const { started, come, end } = start()
  let isEarly = true
  await come('first', 'a')
  await come('urged', 'a', () => isEarly)
  await come('closing', 'a')
  isEarly = false
  for (let i = 0; i < 2; i++) await end()
  expect(started).toEqual(['first', 'urged', 'closing'])
})
