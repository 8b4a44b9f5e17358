import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchIdleness } from '#web/kiosk/flow/idle-watch.ts'
import type { Patience } from '#web/kiosk/flow/idleness.ts'

const patient = { milliseconds: 20_000, isRenewed: true }

/** A screen that a person may touch or look at. Returns how often it was found to be idle. */
function watchScreen(patience: Patience | null = patient) {
  const situation = { patience, attended: false, idle: 0 }
  const renew = watchIdleness({
    patience: () => situation.patience,
    isAttended: () => situation.attended,
    onIdle: () => situation.idle++,
  })
  return { situation, renew }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an untouched screen is idle once its patience is over, and again after the same time', () => {
  const { situation } = watchScreen()
  vi.advanceTimersByTime(19_500)
  expect(situation.idle).toBe(0)
  vi.advanceTimersByTime(500)
  expect(situation.idle).toBe(1)
  vi.advanceTimersByTime(20_000)
  expect(situation.idle).toBe(2)
})

test.each(['pointerdown', 'keydown'])('%s begins the wait anew', (type) => {
  const { situation } = watchScreen()
  vi.advanceTimersByTime(15_000)
  document.dispatchEvent(new Event(type))
  vi.advanceTimersByTime(19_500)
  expect(situation.idle).toBe(0)
  vi.advanceTimersByTime(1000)
  expect(situation.idle).toBe(1)
})

test('a temporary screen disappears, whatever is touched', () => {
  const { situation } = watchScreen({ milliseconds: 10_000, isRenewed: false })
  vi.advanceTimersByTime(9000)
  document.dispatchEvent(new Event('pointerdown'))
  vi.advanceTimersByTime(1000)
  expect(situation.idle).toBe(1)
})

test('a visible person need not touch anything; the wait begins when they are gone', () => {
  const { situation } = watchScreen()
  situation.attended = true
  vi.advanceTimersByTime(120_000)
  expect(situation.idle).toBe(0)
  situation.attended = false
  vi.advanceTimersByTime(19_500)
  expect(situation.idle).toBe(0)
  vi.advanceTimersByTime(1000)
  expect(situation.idle).toBe(1)
})

test('a screen without a limit is never idle, and a new one starts with its full time', () => {
  const { situation, renew } = watchScreen(null)
  vi.advanceTimersByTime(600_000)
  expect(situation.idle).toBe(0)
  situation.patience = patient
  renew()
  vi.advanceTimersByTime(19_500)
  expect(situation.idle).toBe(0)
})
