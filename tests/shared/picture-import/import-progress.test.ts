import { expect, test } from 'vitest'
import { createImportProgress } from '#shared/picture-import/import-progress.ts'

test('counts the work done, its speed and the remaining time; earlier work does not affect the speed', () => {
  let now = 1000
  const progress = createImportProgress(100, 40, () => now)
  expect(progress.now()).toEqual({ done: 40, total: 100, perSecond: 0, secondsLeft: undefined })
  for (let i = 0; i < 20; i++) progress.step()
  now += 4000
  expect(progress.now()).toEqual({ done: 60, total: 100, perSecond: 5, secondsLeft: 8 })
})
