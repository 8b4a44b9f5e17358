import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchIdleness } from '#web/kiosk/core/idle-watch.ts'
import type { Patience } from '#web/kiosk/core/idleness.ts'

const patient = { milliseconds: 20_000, isRenewed: true }

/** A screen that somebody may touch or look at; answers how often it was found idle. */
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

test('a screen that is left alone is idle once its patience is over, and again after as long', () => {
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

test('what is shown for a while only goes, whatever is touched', () => {
  const { situation } = watchScreen({ milliseconds: 10_000, isRenewed: false })
  vi.advanceTimersByTime(9000)
  document.dispatchEvent(new Event('pointerdown'))
  vi.advanceTimersByTime(1000)
  expect(situation.idle).toBe(1)
})

test('whoever is seen need not touch anything; the wait begins when they are seen no more', () => {
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

test('a screen that may stand for ever is never idle, and a new one has all its time', () => {
  const { situation, renew } = watchScreen(null)
  vi.advanceTimersByTime(600_000)
  expect(situation.idle).toBe(0)
  situation.patience = patient
  renew()
  vi.advanceTimersByTime(19_500)
  expect(situation.idle).toBe(0)
})
