import { expect, test } from 'vitest'
import { createThrottleWatch } from '#web/capture/analysis/pace/throttle-watch.ts'

/** What was answered last, of pictures with these gaps. */
function heldUpAfter(gaps: readonly number[], analysis = 60): boolean {
  const watch = createThrottleWatch()
  let at = 0
  let isHeldUp = watch(at, analysis)
  for (const gap of gaps) {
    at += gap
    isHeldUp = watch(at, analysis)
  }
  return isHeldUp
}

test.each<[boolean, string, readonly number[]]>([
  [true, 'timers let through thirty times a minute', [2000, 2000, 2000]],
  [true, 'one picture of four came at once', [2000, 2000, 100, 2000]],
  [false, 'pictures come as they are analysed', [80, 80, 80, 80]],
  [false, 'a page hung once', [80, 4000, 80, 80]],
  [false, 'it goes on at full speed', [2000, 2000, 2000, 80, 80]],
])('%s: %s', (isHeldUp, _name, gaps) => {
  expect(heldUpAfter(gaps)).toBe(isHeldUp)
})

test('a slow device is no browser that holds pictures up', () => {
  expect(heldUpAfter([1200, 1200, 1200, 1200], 900)).toBe(false)
})
