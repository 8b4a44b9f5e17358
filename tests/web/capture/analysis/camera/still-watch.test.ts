import { expect, test, vi } from 'vitest'
import { createStillWatch } from '#web/capture/analysis/camera/still-watch.ts'
import type { Analysis } from '#workers/api.ts'

/** Shows the camera for this long with four pictures per second, and returns how often it was reported as still. */
function watched(seconds: number, analysisAt: (picture: number) => Partial<Analysis>): number {
  const onStill = vi.fn()
  const watch = createStillWatch(onStill)
  for (let picture = 0; picture <= seconds * 4; picture++)
    watch({ analysis: analysisAt(picture) as Analysis, at: picture * 250 })
  return onStill.mock.calls.length
}

const face = {} as Analysis['face']

test('the very same picture without anybody is no camera’s after four seconds', () => {
  expect(watched(3.75, () => ({ luminance: 93.25 }))).toBe(0)
  expect(watched(4, () => ({ luminance: 93.25 }))).toBe(1)
})

test.each([
  ['a room that nobody is in', (picture: number) => ({ luminance: 93 + (picture % 7) / 100 })],
  ['a photograph of somebody', () => ({ luminance: 93.25, face })],
  [
    'somebody who comes after three seconds',
    (picture: number) => ({ luminance: 93.25, ...(picture > 12 && { face }) }),
  ],
])('%s is one', (_what, analysisAt) => expect(watched(30, analysisAt)).toBe(0))
