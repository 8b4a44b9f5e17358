import { expect, test } from 'vitest'
import { createThrottleWatch } from '#web/capture/analysis/pace/throttle-watch.ts'

test.each<[boolean, string, readonly number[]]>([
  [true, 'timers let through thirty times a minute', [2000, 2000, 2000]],
  [true, 'one picture of four came at once', [2000, 2000, 100, 2000]],
  [false, 'pictures come as they are wanted', [30, 30, 30, 30]],
  [false, 'a slow camera brings one a quarter of a second', [250, 260, 250, 270]],
  [false, 'a page hung once', [30, 4000, 30, 30]],
  [false, 'it goes on at full speed', [2000, 2000, 2000, 30, 30]],
])('%s: %s', (isHeldUp, _name, waits) => {
  const watch = createThrottleWatch()
  expect(waits.map(watch).at(-1)).toBe(isHeldUp)
})
