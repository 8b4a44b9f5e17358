import { describe, expect, test } from 'vitest'
import { levelRest } from '#models/rules/challenge/rest.ts'
import { fairLimits } from '#models/rules/fair-frame.ts'
import { commonest, isClear, lookFault } from '#web/capture/analysis/capture-fault.ts'
import { closingStage, meritOf } from '#web/capture/analysis/stages.ts'
import type { Analysis } from '#workers/api.ts'
import { analysisOf, emptyAnalysis } from '../../support/analysis.ts'

/** A good look that has this much noise, in grey levels. */
function noisyLook(noise: number): Analysis {
  const analysis = analysisOf()
  return { ...analysis, face: { ...analysis.face!, live: { raw: 1, noise } } }
}

/** The end of a final look that saw this for as long as it waits. */
function endOf(look: (at: number) => Analysis) {
  const stage = closingStage(5, levelRest, null)
  for (let at = 0; at <= 12_000; at += 100) {
    const observed = stage.watch(look(at), at)
    if (observed.done) return { at, fault: observed.fault }
  }
  throw new Error('the last look did not end')
}

describe('what spoiled the last pictures', () => {
  test('is nothing where they are good', () => {
    expect(endOf(() => analysisOf())).toEqual({ at: 0, fault: null })
  })

  test.each<[string, Analysis]>([
    ['dark', emptyAnalysis(10)],
    ['dark', analysisOf({ clarity: 0.1, weakest: 'spread' })],
    ['dark', analysisOf({ clarity: 0.1, weakest: 'sharpness', luminance: 39 })],
    ['dark', noisyLook(3)],
    ['bright', analysisOf({ clarity: 0.1, weakest: 'clipped' })],
    ['blurred', analysisOf({ clarity: 0.1, weakest: 'sharpness' })],
    ['far', analysisOf({ clarity: 0.1, weakest: 'size' })],
    ['turned', analysisOf({ yaw: 11 })],
    ['covered', analysisOf({ presence: 0.4 })],
    ['several', analysisOf({ second: 0.9 })],
    ['absent', emptyAnalysis()],
  ])('%s', (fault, analysis) => {
    expect(endOf(() => analysis).fault).toBe(fault)
  })

  test('is the most frequent one', () => {
    const dim = analysisOf({ clarity: 0.1, weakest: 'spread' })
    const soft = analysisOf({ clarity: 0.1, weakest: 'sharpness' })
    expect(endOf((at) => (at < 6000 ? dim : soft)).fault).toBe('dark')
    expect(commonest([])).toBeNull()
  })

  test('is never reported after an unrequested movement', () => {
    expect(endOf((at) => (at < 2000 ? analysisOf({ yaw: 30 }) : emptyAnalysis(10))).fault).toBeNull()
  })
})

describe('a picture', () => {
  test('counts as clear from three tenths of the possible sharpness', () => {
    expect(isClear(analysisOf({ clarity: 0.3 }))).toBe(true)
    expect(isClear(analysisOf({ clarity: 0.29 }))).toBe(false)
    expect(isClear(emptyAnalysis())).toBe(false)
    expect(isClear(noisyLook(fairLimits.noise))).toBe(true)
    expect(isClear(noisyLook(fairLimits.noise + 0.1))).toBe(false)
    expect(lookFault(analysisOf(), null)).toBe('turned')
  })

  test('is chosen by the weakest of its measures', () => {
    const sharp = { sharpness: 300 }
    expect(meritOf(analysisOf({ clarity: 0.9 }))).toBeGreaterThan(
      meritOf(analysisOf({ ...sharp, clarity: 0.4, weakest: 'spread' })),
    )
  })
})
