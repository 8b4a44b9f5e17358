import { describe, expect, test } from 'vitest'
import type { Cue, CueAnswer } from '#models/rules/liveness/evidence/cue.ts'
import {
  isEvidenceMissing,
  isEvidenceSilent,
  type VisitEvidence,
} from '#models/rules/liveness/evidence/demanded.ts'
import { pointAt } from '../../../../support/drawn/film.ts'
import { frameOf, noon, opening, turning } from '../../../../support/drawn/observations.ts'

const pair = { degrees: 22, light: 0.05, rim: 0.3 }
const at = (receivedAt: number, rest: Parameters<typeof frameOf>[0] = {}) =>
  frameOf({ time: receivedAt - noon, receivedAt, ...rest })
const straight = at(noon + 1000)
const turned = at(noon + 4000, { step: 1, face: { yaw: 25 }, turned: pair })
const after = at(noon + 5000, { step: 1 })
const filmOf = (...times: readonly number[]) => times.map((time) => pointAt(time, {}, noon + time))

const whole: VisitEvidence = {
  actionCount: 1,
  steps: [opening, turning],
  observations: [straight, turned, after],
  trail: filmOf(1000, 4000, 5000),
}
const isMissing = (change: Partial<VisitEvidence> = {}) => isEvidenceMissing({ ...whole, ...change })
const { turned: _, ...uncompared } = turned

describe('evidence is missing', () => {
  test('for no visit that shows a turn, its pair and its film', () => {
    expect(isMissing()).toBe(false)
  })

  test.each<[string, Partial<VisitEvidence>]>([
    ['without a film', { trail: [] }],
    ['without the film of one request', { trail: filmOf(1000, 4000) }],
    [
      'with a film that shows nothing',
      { trail: whole.trail.map(({ time, receivedAt }) => pointAt(time, { faceless: true }, receivedAt)) },
    ],
    ['without a look after the last action', { observations: [straight, turned], trail: filmOf(1000, 4000) }],
    [
      'if the look after the last action shows no face',
      { observations: [straight, turned, { ...after, face: null }] },
    ],
    ['without a pair of the turn', { observations: [straight, uncompared, after] }],
    [
      'with a pair only of the turn that was replaced by another one',
      { steps: [opening, { ...turning, exchangedAt: noon + 4000 + 1, answeredAt: noon + 4500 }] },
    ],
    ['where what was done turns no head', { steps: [opening, { ...turning, action: 'smile' }] }],
    [
      'if one of two turns has no pair',
      {
        actionCount: 2,
        steps: [opening, turning, { ...turning, step: 2, answeredAt: noon + 4500 }],
      },
    ],
    [
      'if the turn failed and another action was performed',
      {
        steps: [
          opening,
          { ...turning, accepted: false, reason: 'notPerformed' },
          { ...turning, step: 2, action: 'smile', answeredAt: noon + 4500 },
        ],
      },
    ],
  ])('%s', (_name, change) => {
    expect(isMissing(change)).toBe(true)
  })

  test('for no visit whose challenge failed', () => {
    const failed = { ...turning, accepted: false, reason: 'notPerformed' as const }
    expect(isMissing({ steps: [opening, failed], observations: [straight, uncompared, after] })).toBe(false)
  })

  test('for a capture without a challenge only if it has no film', () => {
    const passive = { actionCount: 0, steps: [opening], observations: [straight] }
    expect(isMissing({ ...passive, trail: filmOf(1000) })).toBe(false)
    expect(isMissing({ ...passive, trail: [] })).toBe(true)
  })
})

describe('evidence is inconclusive', () => {
  const cues = (...answers: CueAnswer[]): Cue[] =>
    answers.map((answer) => ({ name: 'light', answer, value: null }))

  test.each<[boolean, CueAnswer[]]>([
    [true, ['cannotTell', 'cannotTell']],
    [false, ['cannotTell', 'held']],
    [false, ['broken', 'cannotTell']],
  ])('%s: %s', (isSilent, answers) => {
    expect(isEvidenceSilent(cues(...answers))).toBe(isSilent)
  })
})
