import { describe, expect, test } from 'vitest'
import { createLookBack } from '#web/capture/analysis/look-back.ts'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import type { Hint, Tip } from '#web/wording/findings.ts'
import type { Analysis } from '#workers/api.ts'
import { analysisOf, emptyAnalysis } from '../../support/analysis.ts'

type Look = readonly [analysis: Analysis, hint?: Hint]

function tipAfter(...looks: readonly Look[]): Tip | null {
  const lookBack = createLookBack()
  for (const [analysis, hint = null] of looks) lookBack.add(analysis, hint)
  return lookBack.tip()
}

const times = (count: number, ...look: Look): Look[] => Array.from({ length: count }, () => look)
const good: Look = [analysisOf()]
const unclear = (weakest: 'spread' | 'clipped' | 'sharpness' | 'size' | 'turn'): Look => [
  analysisOf({ clarity: 0.1, weakest }),
]

describe('the device’s observations of a try', () => {
  test.each<[string, Look, Tip | null]>([
    ['little light', unclear('spread'), 'light'],
    ['much light', unclear('clipped'), 'light'],
    ['no sharp edge', unclear('sharpness'), 'blur'],
    ['a face far away', unclear('size'), 'size'],
    ['a face that is turned', unclear('turn'), null],
    ['a clear face', good, null],
    ['no face', [emptyAnalysis()], null],
    ['the hint of light from behind', [analysisOf(), 'backlight'], 'light'],
    ['the hint that it is too dark for a face', [emptyAnalysis(20), 'tooDark'], 'light'],
    ['the hint to come closer', [analysisOf(), 'closer'], 'size'],
    ['the hint to move back', [analysisOf(), 'back'], 'size'],
    ['the hint to hold still', [analysisOf(), 'still'], 'blur'],
    ['the hint that somebody else is there', [analysisOf(), 'onePerson'], null],
  ])('%s', (_name, look, tip) => expect(tipAfter(look)).toBe(tip))

  test('become a tip only if they apply to a fifth of the looks', () => {
    expect(thresholds.tipShare).toBe(0.2)
    expect(tipAfter(...times(20, ...unclear('spread')), ...times(80, ...good))).toBe('light')
    expect(tipAfter(...times(19, ...unclear('spread')), ...times(81, ...good))).toBeNull()
    expect(tipAfter()).toBeNull()
  })

  test('become the most frequent tip', () => {
    expect(tipAfter(...times(3, ...unclear('size')), ...times(4, ...unclear('sharpness')))).toBe('blur')
  })

  test('are forgotten with the try', () => {
    const lookBack = createLookBack()
    lookBack.add(...([unclear('size')[0], null] as const))
    lookBack.clear()
    expect(lookBack.tip()).toBeNull()
  })
})
