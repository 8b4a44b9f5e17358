import { describe, expect, test } from 'vitest'
import { levelRest } from '#models/rules/challenge/rest.ts'
import { sizeRules } from '#models/rules/challenge/size.ts'
import type { Outline } from '#web/capture/analysis/oval.ts'
import { noSize, type SizeMemory, sizeStage, watchSize } from '#web/capture/analysis/size-stage.ts'
import { thresholds as t } from '#web/capture/analysis/thresholds.ts'
import { analysisOf, emptyAnalysis } from '../../support/analysis.ts'

const neutral = { ...levelRest, size: 0.3 }
const wanted = 0.3 * 1.5
const everyMilliseconds = 100

/** One analysis every 100 ms. */
function seen(sizes: readonly number[], more: Parameters<typeof analysisOf>[0] = {}): SizeMemory {
  return sizes.reduce<SizeMemory>(
    (memory, size, i) =>
      watchSize(memory, analysisOf({ size, ...more }), i * everyMilliseconds, { size: 1.5, neutral }),
    noSize,
  )
}
const times = (count: number, size: number) => Array.from({ length: count }, () => size)
const awhile = times(t.action.leastMilliseconds / everyMilliseconds, 0.3)
const longEnough = t.size.heldMilliseconds / everyMilliseconds + 1

describe('a size', () => {
  test.each([
    [0.3, 'closer'],
    [wanted * Math.exp(-sizeRules.tolerance.asked - 0.01), 'closer'],
    [wanted, 'still'],
    [wanted * Math.exp(sizeRules.tolerance.asked + 0.01), 'back'],
  ])('%f of the picture is reported: %s', (size, hint) => {
    expect(seen([size]).hint).toBe(hint)
  })

  test('is reached when it was held for a while', () => {
    expect(seen([...awhile, ...times(longEnough - 1, wanted)]).done).toBe(false)
    expect(seen([...awhile, ...times(longEnough, wanted)]).done).toBe(true)
    expect(seen([...awhile, ...times(longEnough - 1, wanted), 0.6, wanted]).done).toBe(false)
  })

  test('is not reached faster than a person can react', () => {
    const soon = t.action.leastMilliseconds / everyMilliseconds
    expect(seen(times(soon, wanted)).done).toBe(false)
    expect(seen(times(soon + 1, wanted)).done).toBe(true)
  })

  test('may be left slightly once it is reached', () => {
    const little = wanted * Math.exp(sizeRules.tolerance.asked + 0.01)
    expect(seen([wanted, little]).hint).toBe('still')
    expect(seen([little, little]).hint).toBe('back')
  })

  test('counts only while the person looks straight ahead', () => {
    const turned = seen([...awhile, ...times(20, wanted)], { yaw: 20 })
    expect(turned).toMatchObject({ done: false, hint: 'straight' })
  })

  test('waits for a face that is gone', () => {
    const before = seen([...awhile, wanted])
    const gone = watchSize(before, emptyAnalysis(), 2000, { size: 1.5, neutral })
    expect(gone).toMatchObject({ since: null, hint: null, strength: 0, done: false })
  })
})

test('has a stage that shows the requested size and the measured one, and ends when it is reached', () => {
  const outlines: Outline[] = []
  const stage = sizeStage(1.5, 5, neutral, (outline) => outlines.push(outline))
  const observed = [...awhile, ...times(longEnough, wanted)].map((size, i) =>
    stage.watch(analysisOf({ size }), i * everyMilliseconds),
  )
  expect(outlines[0]).toEqual({ wanted, seen: 0.3, aspect: 1280 / 720 })
  expect(observed[0]).toMatchObject({ hint: 'closer', acted: false, done: false })
  expect(observed.at(-1)).toMatchObject({ acted: true, done: true, urgent: true, progress: 1 })
})
