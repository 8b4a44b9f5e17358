import { describe, expect, test } from 'vitest'
import { timely } from '#web/capture/sending/timely.ts'

describe('the pictures of a step', () => {
  const frames = [{ bytes: new Uint8Array([1]), time: 7 }]
  const step = { step: 2, frames, until: 10_000 }

  test.each([0, 10_000])('are sent as long as they are on time (%i ms of 10,000)', (now) => {
    expect(timely(step, now)).toBe(step)
  })

  test('yield to a request for more time once they would be late', () => {
    expect(timely(step, 10_001)).toEqual({ step: 2, frames: [], request: 'moreTime' })
  })

  test('that cannot be late are sent at any time', () => {
    const anyTime = { step: 0, frames }
    expect(timely(anyTime, Number.MAX_SAFE_INTEGER)).toBe(anyTime)
  })
})
