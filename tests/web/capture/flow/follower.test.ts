import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFollower, pauseAfter } from '#web/capture/flow/follower.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The part of a document that the follower relies on. */
function fakePage() {
  const page = Object.assign(new EventTarget(), { hidden: false })
  return {
    page: page as unknown as Document,
    hide(hidden: boolean) {
      page.hidden = hidden
      page.dispatchEvent(new Event('visibilitychange'))
    },
  }
}

test.each([
  [0, false, 2000],
  [59, false, 2000],
  [60, false, 4000],
  [0, true, 8000],
])('after %i looks, hidden %s: %i ms', (looks, hidden, milliseconds) => {
  expect(pauseAfter(looks, hidden)).toBe(milliseconds)
})

describe('the follower', () => {
  test('checks every two seconds until there is nothing more to see', async () => {
    const look = vi.fn(async () => look.mock.calls.length < 3)
    createFollower(look, fakePage().page).start()
    await vi.advanceTimersByTimeAsync(2000)
    expect(look).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(look).toHaveBeenCalledTimes(3)
  })

  test('checks again after a failure', async () => {
    const look = vi.fn(() => Promise.reject(new Error('no network')))
    createFollower(look, fakePage().page).start()
    await vi.advanceTimersByTimeAsync(6000)
    expect(look).toHaveBeenCalledTimes(3)
  })

  test('makes one check at a time, however often it is started', async () => {
    const look = vi.fn(async () => true)
    const follower = createFollower(look, fakePage().page)
    follower.start()
    follower.start()
    await vi.advanceTimersByTimeAsync(2000)
    expect(look).toHaveBeenCalledTimes(1)
    follower.stop()
    follower.start()
    await vi.advanceTimersByTimeAsync(4000)
    expect(look).toHaveBeenCalledTimes(3)
  })

  test('stops', async () => {
    const look = vi.fn(async () => true)
    const follower = createFollower(look, fakePage().page)
    follower.start()
    follower.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(look).not.toHaveBeenCalled()
  })

  test('checks rarely while the page is hidden, and at once when it is visible again', async () => {
    const look = vi.fn(async () => true)
    const { page, hide } = fakePage()
    hide(true)
    createFollower(look, page).start()
    await vi.advanceTimersByTimeAsync(7000)
    expect(look).not.toHaveBeenCalled()
    hide(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(look).toHaveBeenCalledTimes(1)
  })
})
