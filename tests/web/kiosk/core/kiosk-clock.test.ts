import { describe, expect, test } from 'vitest'
import { createKioskClock, timeOfCapture } from '#web/kiosk/core/kiosk-clock.ts'

describe("the kiosk's clock", () => {
  test('assumes that the server spoke midway between request and answer', () => {
    let own = 1_000_000
    const clock = createKioskClock(0, () => own)
    clock.hear(1_600_000, 1_000_000, 1_000_400)
    expect(clock.offset()).toBe(599_800)
    own = 1_001_000
    expect(clock.now()).toBe(1_600_800)
    expect(clock.own()).toBe(1_001_000)
  })

  test.each([
    [300_000, false],
    [300_001, true],
    [-300_001, true],
  ])('flags a drift of more than five minutes: %i ms', (offset, isFlagged) => {
    expect(createKioskClock(offset).drift().isFlagged).toBe(isFlagged)
  })

  test('continues with its last value', () => {
    expect(createKioskClock(-5000, () => 20_000).now()).toBe(15_000)
  })
})

describe('the time of a capture', () => {
  test.each([
    ['nothing waits', 500, undefined, 500],
    ['the clock goes on', 500, 400, 500],
    ['the clock was set back', 500, 9000, 9001],
    ['two fall on one millisecond', 500, 500, 501],
  ])('if %s', (_, now, lastWaiting, at) => {
    expect(timeOfCapture(now, lastWaiting)).toBe(at)
  })
})
