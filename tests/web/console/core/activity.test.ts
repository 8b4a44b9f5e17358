import { expect, test } from 'vitest'
import { activeMilliseconds, watchActivity } from '#web/console/core/activity.ts'

test('a person counts as present for a while after each key, press or move', () => {
  let time = 0
  const page = new EventTarget()
  const isActive = watchActivity(page, () => time)
  time = activeMilliseconds - 1
  expect(isActive()).toBe(true)
  time = activeMilliseconds
  expect(isActive()).toBe(false)
  for (const sign of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart']) {
    time += activeMilliseconds
    expect(isActive(), sign).toBe(false)
    page.dispatchEvent(new Event(sign))
    expect(isActive(), sign).toBe(true)
  }
})
