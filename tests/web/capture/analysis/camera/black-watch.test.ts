import { expect, test, vi } from 'vitest'
import { createBlackWatch } from '#web/capture/analysis/camera/black-watch.ts'
import type { Analysis } from '#workers/api.ts'

/** How often a camera is reported as black, with four pictures per second, from when it was opened. */
function watched(seconds: number, isBlackAt: (second: number) => boolean): number {
  const onBlack = vi.fn()
  const watch = createBlackWatch(onBlack)
  for (let time = 0; time <= seconds * 1000; time += 250)
    watch({ analysis: { luminance: isBlackAt(time / 1000) ? 0 : 90 } as Analysis, at: time, time })
  return onBlack.mock.calls.length
}

test.each([
  ['is black for a second in the middle of a visit', 12, (second: number) => second > 10 && second < 11.5, 1],
  ['is black for less', 12, (second: number) => second > 10 && second < 11, 0],
  [
    'goes black after its first picture, and then wakes up',
    12,
    (second: number) => second > 0 && second < 4.5,
    0,
  ],
  ['goes black after its first picture for good', 6, (second: number) => second > 0, 1],
])('a camera that %s', (_what, seconds, isBlackAt, times) => {
  expect(watched(seconds, isBlackAt)).toBe(times)
})
