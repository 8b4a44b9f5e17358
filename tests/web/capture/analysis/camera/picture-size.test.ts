import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isLargeEnough } from '#web/capture/analysis/camera/picture-size.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const small = () => ({ videoWidth: 160, videoHeight: 120 })

test('a camera that starts small and grows is large enough', async () => {
  const video = small()
  const isLarge = isLargeEnough(video, () => false)
  await vi.advanceTimersByTimeAsync(2000)
  Object.assign(video, { videoWidth: 640, videoHeight: 480 })
  await vi.advanceTimersByTimeAsync(100)
  expect(await isLarge).toBe(true)
})

test('one that stays small is too small after three seconds', async () => {
  const found = vi.fn()
  void isLargeEnough(small(), () => false).then(found)
  await vi.advanceTimersByTimeAsync(2900)
  expect(found).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(100)
  expect(found).toHaveBeenCalledWith(false)
})

test('one that is no longer asked for is not waited for', async () => {
  const found = isLargeEnough(small(), () => true)
  await vi.advanceTimersByTimeAsync(0)
  expect(await found).toBe(false)
})
