import { describe, expect, test } from 'vitest'
import {
  actingHints,
  closingHints,
  fits,
  type GuidanceMemory,
  guide,
  noGuidance,
} from '#web/capture/analysis/guidance.ts'
import { ovalShare } from '#web/capture/analysis/oval.ts'
import { nothingSpoken, speakHint } from '#web/capture/analysis/spoken-hint.ts'
import { thresholds as t } from '#web/capture/analysis/thresholds.ts'
import type { Hint } from '#web/wording/findings.ts'
import { analysisOf, emptyAnalysis } from '../../support/analysis.ts'

/** Shows the same analysis every 100 ms. */
function stream(
  memory: GuidanceMemory,
  analysis: ReturnType<typeof analysisOf>,
  from: number,
  to: number,
  heeded?: ReadonlySet<Hint>,
): GuidanceMemory {
  let now = memory
  for (let at = from; at <= to; at += 100) now = guide(now, analysis, at, heeded)
  return now
}

/** The size of a face that fills this share of the oval in a 1280 by 720 picture. */
const filling = (fill: number) => fill * ovalShare(1280 / 720)

const oddsOf = (logOdds: number) => 1 / (1 + Math.exp(-logOdds))

describe('the single hint', () => {
  const cases: [Hint, ReturnType<typeof analysisOf>][] = [
    ['onePerson', analysisOf({ second: 0.5 })],
    ['tooDark', emptyAnalysis(20)],
    ['showFace', emptyAnalysis(90)],
    ['intoPicture', analysisOf({ x: 0.9 })],
    ['closer', analysisOf({ size: filling(t.tooSmall.appear - 0.03) })],
    ['back', analysisOf({ size: filling(t.tooLarge.appear + 0.03) })],
    ['back', analysisOf({ size: filling(t.tooLarge.appear + 0.03), x: 0.9 })],
    ['toRight', analysisOf({ x: t.offset.appear + 0.03 })],
    ['toLeft', analysisOf({ x: -t.offset.appear - 0.03 })],
    ['up', analysisOf({ y: t.offset.appear + 0.03 })],
    ['down', analysisOf({ y: -t.offset.appear - 0.03 })],
    ['toLight', analysisOf({ spread: t.spread.appear - 5 })],
    ['backlight', analysisOf({ backgroundRatio: 2.6 })],
    ['tooBright', analysisOf({ clipped: 0.3 })],
    ['visible', analysisOf({ presence: oddsOf(t.plainness.appear - 0.1) })],
    ['straight', analysisOf({ yaw: t.turned.appear + 3 })],
    ['straight', analysisOf({ pitch: -t.nodded.appear - 3 })],
    ['upright', analysisOf({ roll: -25 })],
    ['still', analysisOf({ sharpness: t.sharpness.appear - 1 })],
  ]
  test.each(cases)('%s', (hint, analysis) => {
    expect(stream(noGuidance, analysis, 0, 1000).shown).toBe(hint)
  })

  test('is null if everything fits', () => {
    const memory = stream(noGuidance, analysisOf(), 0, 2000)
    expect(memory.shown).toBeNull()
    expect(fits(memory, analysisOf())).toBe(true)
  })

  test('is the most important one', () => {
    const analysis = analysisOf({ second: 0.8, yaw: 40, sharpness: 1 })
    expect(stream(noGuidance, analysis, 0, 1000).shown).toBe('onePerson')
  })

  test('ignores a small second face', () => {
    expect(stream(noGuidance, analysisOf({ second: 0.3 }), 0, 1000).shown).toBeNull()
  })

  test('remembers the second face while the first is only tracked', () => {
    const seen = guide(noGuidance, analysisOf({ second: 0.6 }), 0)
    expect(guide(seen, analysisOf({ detected: false }), 100).crowded).toBe(true)
    expect(guide(seen, analysisOf(), 100).crowded).toBe(false)
  })

  test('names no side during the last hold or an action', () => {
    const aside = analysisOf({ x: 0.28 })
    expect(stream(noGuidance, aside, 0, 2000, closingHints).shown).toBeNull()
    expect(stream(noGuidance, aside, 0, 2000, actingHints).shown).toBeNull()
  })
})

describe('a face without points yet', () => {
  const box = { x: 500, y: 200, width: 300, height: 300 }
  const detected = {
    ...emptyAnalysis(90),
    detectedFace: { box, confidence: 0.9 },
    missing: ['points'] as const,
  }

  test('has no hint, because neither its position nor its pose is known', () => {
    expect(stream(noGuidance, detected, 0, 5000).shown).toBeNull()
    expect(fits(stream(noGuidance, detected, 0, 5000), detected)).toBe(false)
  })

  test('that is gone is requested again', () => {
    const before = stream(noGuidance, detected, 0, 1000)
    expect(stream(before, emptyAnalysis(90), 1100, 3000).shown).toBe('showFace')
  })

  test('is noticed next to a second one', () => {
    const two = { ...detected, others: [{ box: { ...box, width: 250 }, confidence: 0.8 }] }
    expect(stream(noGuidance, two, 0, 1000).shown).toBe('onePerson')
  })
})

describe('a hint over time', () => {
  const tilted = analysisOf({ roll: 25 })

  test('appears after 400 ms', () => {
    expect(stream(noGuidance, tilted, 0, 300).shown).toBeNull()
    expect(stream(noGuidance, tilted, 0, 400).shown).toBe('upright')
  })

  test('needs two analyses', () => {
    expect(guide(noGuidance, tilted, 5000).shown).toBeNull()
  })

  test('stays 1.2 s', () => {
    const shown = stream(noGuidance, tilted, 0, 400)
    expect(stream(shown, analysisOf(), 500, 1500).shown).toBe('upright')
    expect(stream(shown, analysisOf(), 500, 1600).shown).toBeNull()
  })

  test('yields after 600 ms to a second person, and to nothing else', () => {
    const shown = stream(noGuidance, tilted, 0, 400)
    expect(stream(shown, analysisOf({ second: 0.6 }), 500, 900).shown).toBe('upright')
    expect(stream(shown, analysisOf({ second: 0.6 }), 500, 1000).shown).toBe('onePerson')
    expect(stream(shown, analysisOf({ yaw: 30 }), 500, 1500).shown).toBe('upright')
  })

  test('disappears 300 ms after its reason', () => {
    const shown = stream(noGuidance, tilted, 0, 3000)
    expect(stream(shown, analysisOf(), 3100, 3300).shown).toBe('upright')
    expect(stream(shown, analysisOf(), 3100, 3400).shown).toBeNull()
  })

  test('disappears at another value than it appears at', () => {
    const between = analysisOf({ roll: 17 })
    expect(stream(noGuidance, between, 0, 1000).shown).toBeNull()
    const shown = stream(noGuidance, tilted, 0, 400)
    expect(stream(shown, between, 500, 5000).shown).toBe('upright')
  })
})

describe('spoken hints', () => {
  const speakFor = (until: number) => {
    let memory = nothingSpoken
    let times = 0
    for (let at = 0; at <= until; at += 100) {
      const answer = speakHint(memory, 'closer', at)
      memory = answer.memory
      if (answer.speak !== null) times++
    }
    return times
  }
  test.each([
    [900, 0],
    [1000, 1],
    [4900, 1],
    [5000, 2],
    [60_000, 3],
  ])('within %i ms: %i times', (until, times) => expect(speakFor(until)).toBe(times))
})
