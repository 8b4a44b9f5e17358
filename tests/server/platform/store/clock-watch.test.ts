import { expect, test } from 'vitest'
import { createClockWatch } from '#server/platform/store/clock-watch.ts'

/** A clock that takes this long to read, and lags this far behind. */
function watchOf(behind: number, askedFor = 0) {
  let now = 1_000_000
  const time = async () => {
    const there = now + askedFor / 2 - behind
    now += askedFor
    return there
  }
  return createClockWatch(time, () => now)
}

test.each([
  [3000, undefined],
  [3100, 'The clock of this machine is 3.1 s ahead of that of the Redis server.'],
  [-3000, undefined],
  [-3100, 'The clock of this machine is 3.1 s behind that of the Redis server.'],
])('a clock that is %d ms ahead is reported as %s', async (behind, words) => {
  const watch = watchOf(behind)
  expect([watch.driftInSeconds(), watch.trouble()]).toEqual([undefined, undefined])
  await watch.check()
  expect([watch.driftInSeconds(), watch.trouble()]).toEqual([behind / 1000, words])
})

test('the duration of the request is deducted, and one that took too long is ignored', async () => {
  const slow = watchOf(500, 1000)
  await slow.check()
  expect(slow.driftInSeconds()).toBe(0.5)
  const tooSlow = watchOf(500, 1001)
  await tooSlow.check()
  expect(tooSlow.driftInSeconds()).toBeUndefined()
})

test('the last reading is kept if the other clock cannot be read', async () => {
  let isThere = true
  const time = async () => {
    if (!isThere) throw new Error('away')
    return 0
  }
  const watch = createClockWatch(time, () => 5000)
  await watch.check()
  isThere = false
  await watch.check()
  expect(watch.driftInSeconds()).toBe(5)
})
