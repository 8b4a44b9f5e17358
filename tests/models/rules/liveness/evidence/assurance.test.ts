import { describe, expect, test } from 'vitest'
import {
  type AssuranceEvidence,
  assuranceOf,
  assuranceOfFailed,
  isBelow,
} from '#models/rules/liveness/evidence/assurance.ts'
import type { Cue, CueAnswer } from '#models/rules/liveness/evidence/cue.ts'
import { assurances } from '#shared/contract/configuration/check-settings.ts'

const names = ['light', 'rim', 'cuts', 'perspective'] as const
const cues = (...answers: CueAnswer[]): Cue[] =>
  answers.map((answer, i) => ({ name: names[i]!, answer, value: null }))

/** Every kind of evidence. */
const everything: AssuranceEvidence = {
  isJudged: true,
  isPassed: true,
  isOffline: false,
  isTrailComplete: true,
  isFilmOfPerson: true,
  mayLeaveOut: false,
  cues: cues('held', 'held', 'held'),
  hasPasskey: true,
  isInjectionHinted: false,
}

describe('assuranceOf', () => {
  test.each<[string, Partial<AssuranceEvidence>, string]>([
    ['everything', {}, 'high'],
    ['no passkey', { hasPasskey: false }, 'standard'],
    ['a hint of injection', { isInjectionHinted: true }, 'standard'],
    ['a hint of injection and no passkey', { isInjectionHinted: true, hasPasskey: false }, 'standard'],
    ['no complete trail', { isTrailComplete: false }, 'low'],
    ['a challenge or passive check that failed', { isPassed: false }, 'low'],
    ['a device that was alone with the person', { isOffline: true }, 'low'],
    ['no cue at all', { cues: [] }, 'low'],
    ['one cue that cannot tell', { cues: cues('held', 'held', 'cannotTell') }, 'high'],
    ['one cue that held', { cues: cues('held', 'cannotTell', 'cannotTell') }, 'low'],
    ['perspective beside one that held', { cues: cues('held', 'cannotTell', 'cannotTell', 'held') }, 'low'],
    ['perspective that is broken', { cues: cues('held', 'held', 'held', 'broken') }, 'low'],
    ['none that held', { cues: cues('cannotTell', 'cannotTell') }, 'low'],
    ['two that held and one that is broken', { cues: cues('held', 'held', 'broken') }, 'low'],
    ['all that are broken', { cues: cues('broken', 'broken', 'broken') }, 'low'],
    ['nobody to be judged', { isJudged: false }, 'none'],
    ['nothing but a judged face', { isPassed: false, isTrailComplete: false, cues: [] }, 'low'],
  ])('of %s', (_, change, reached) => {
    expect(assuranceOf({ ...everything, ...change })).toBe(reached)
  })

  test('is not raised by a passkey unless it is standard', () => {
    for (const hasPasskey of [true, false]) {
      expect(assuranceOf({ ...everything, isTrailComplete: false, hasPasskey })).toBe('low')
    }
  })
})

test('the levels are in order', () => {
  expect(assurances.map((least) => assurances.map((reached) => isBelow(reached, least)))).toEqual([
    [false, false, false, false],
    [true, false, false, false],
    [true, true, false, false],
    [true, true, true, false],
  ])
})

test.each([
  ['none', 'none'],
  ['low', 'low'],
  ['standard', 'low'],
  ['high', 'low'],
] as const)('a failed session that reached %s has %s', (reached, told) => {
  expect(assuranceOfFailed(reached)).toBe(told)
})
