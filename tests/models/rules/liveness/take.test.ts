import { describe, expect, test } from 'vitest'
import type { StepRecord } from '#models/rules/challenge/step.ts'
import { isOfEarlierTry, isPossibleTime, isRepeated } from '#models/rules/liveness/take.ts'
import {
  opening as firstStep,
  frameOf,
  noon,
  turning as secondStep,
} from '../../../support/drawn/observations.ts'

describe('isRepeated', () => {
  test.each([
    ['abcdef', false],
    ['aabbcc', false],
    ['aaabbc', false],
    ['aaaabb', true],
    ['aaaaaa', true],
    ['aaab', false],
    ['aaaa', true],
    ['aaa', false],
    ['', false],
  ])('of pictures %j: %j', (pictures, repeated) => {
    expect(isRepeated([...pictures].map((digest) => frameOf({ digest })))).toBe(repeated)
  })

  test('is undefined if pictures were not compared', () => {
    expect(isRepeated(Array.from({ length: 8 }, () => frameOf({ digest: '' })))).toBe(false)
  })
})

describe('isOfEarlierTry', () => {
  test.each([
    ['abcd', '', false],
    ['abcd', 'wxyz', false],
    ['abcd', 'a', false],
    ['abcd', 'bd', true],
    ['abcdef', 'ab', false],
    ['abcdef', 'abc', true],
    ['abc', 'abc', false],
    ['aabb', 'ab', true],
  ])('of pictures %j after a try with %j: %j', (pictures, earlier, expected) => {
    const frames = [...pictures].map((digest) => frameOf({ digest }))
    expect(isOfEarlierTry(frames, [...earlier])).toBe(expected)
  })

  test('is undefined if pictures were not compared', () => {
    expect(
      isOfEarlierTry(
        Array.from({ length: 8 }, () => frameOf({ digest: '' })),
        [''],
      ),
    ).toBe(false)
  })
})

describe('isPossibleTime', () => {
  const opening = { ...firstStep, answeredAt: noon + 20_000, timeLimitInSeconds: 900 }
  const turning = { ...secondStep, revealedAt: noon + 23_000, answeredAt: noon + 25_000 }
  const sent = ({ step, answeredAt }: StepRecord, ...times: number[]) =>
    times.map((time) => frameOf({ step, receivedAt: answeredAt, time }))
  const possible = (...frames: ReturnType<typeof frameOf>[]) => isPossibleTime([opening, turning], frames)

  test.each([
    ['one after the other', [4000, 4300, 4600], true],
    ['all at once', [0, 0, 0], true],
    ['back', [4000, 4600, 4300], false],
    ['over as long as the step took', [4000, 9000], true],
    ['over so long with some slack', [4000, 12_000], true],
    ['over longer than that', [4000, 12_001], false],
    ['not at all', [], true],
  ])('pictures of a step that were taken %s (%j): %j', (_, times, expected) => {
    expect(possible(...sent(opening, 1000, 2000), ...sent(turning, ...times))).toBe(expected)
  })

  test('lets a camera restart between two steps', () => {
    expect(possible(...sent(opening, 18_000, 19_000), ...sent(turning, 300, 900))).toBe(true)
  })

  test('lets a camera restart between two requests of one step, but adds up what both show', () => {
    const early = (time: number) => frameOf({ step: 1, receivedAt: noon + 22_000, time })
    expect(possible(early(90_000), ...sent(turning, 300, 900))).toBe(true)
    expect(possible(early(90_000), early(94_000), ...sent(turning, 300, 4301))).toBe(false)
  })

  test('gives the first step the time since the session was opened', () => {
    expect(possible(...sent(opening, 0, 23_000))).toBe(true)
    expect(possible(...sent(opening, 0, 23_001))).toBe(false)
  })

  test('ignores pictures that arrived after the last answer', () => {
    const late = [90_000, 80_000].map((time) => frameOf({ step: 1, receivedAt: noon + 30_000, time }))
    expect(possible(...late)).toBe(true)
  })
})
