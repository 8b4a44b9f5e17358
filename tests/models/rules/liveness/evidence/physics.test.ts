import { describe, expect, test } from 'vitest'
import { physicsLimits, physicsOf, physicsOfVisit } from '#models/rules/liveness/evidence/physics.ts'
import type { TurnedPair } from '#models/rules/observation.ts'

const pair = (change: Partial<TurnedPair> = {}): TurnedPair => ({
  degrees: 20,
  light: 0.05,
  rim: 0.4,
  ...change,
})
const answers = (...pairs: TurnedPair[]) => physicsOf(pairs).map(({ answer }) => answer)

describe.each(['light', 'rim'] as const)('%s', (name) => {
  const {
    held: [held],
    unbroken: [broken],
  } = physicsLimits[name]
  const answer = (value: number | null) =>
    physicsOf([pair({ [name]: value })]).find((cue) => cue.name === name)!

  test('holds from its limit on', () => {
    expect(answer(held)).toEqual({ name, answer: 'held', value: held })
    expect(answer(held - 1e-9).answer).toBe('cannotTell')
  })

  test('is broken below the other one', () => {
    expect(answer(broken).answer).toBe('cannotTell')
    expect(answer(broken - 1e-9).answer).toBe('broken')
    expect(answer(0).answer).toBe('broken')
  })

  test('cannot tell without measurements', () => {
    expect(answer(null)).toEqual({ name, answer: 'cannotTell', value: null })
  })
})

test('light that changes more than in any visit is ignored, and is broken beyond twice that', () => {
  const [, most] = physicsLimits.light.held
  const [, broken] = physicsLimits.light.unbroken
  const answer = (light: number) => answers(pair({ light }))[0]
  expect([most, most + 1e-9, broken, broken + 1e-9].map(answer)).toEqual([
    'held',
    'cannotTell',
    'cannotTell',
    'broken',
  ])
})

test('the median of all pairs counts, and inconclusive pairs are left out', () => {
  expect(answers(pair(), pair(), pair({ rim: 0 }))).toEqual(['held', 'held'])
  expect(answers(pair(), pair({ rim: 0 }), pair({ rim: 0 }))).toEqual(['held', 'broken'])
  expect(answers(pair({ rim: null }), pair({ rim: null }), pair({ rim: 0 }))).toEqual(['held', 'broken'])
  expect(answers()).toEqual(['cannotTell', 'cannotTell'])
})

describe('the steps of a visit', () => {
  const good = pair()
  const broken = pair({ light: 0, rim: 0 })
  const answersOf = (...steps: TurnedPair[][]) => physicsOfVisit(steps).map(({ answer }) => answer)

  test('are judged together', () => {
    expect(physicsOfVisit([[good], [good, good]])).toEqual(physicsOf([good, good, good]))
    expect(physicsOfVisit([])).toEqual(physicsOf([]))
  })

  test('are broken if one of them is, however many hold', () => {
    expect(answersOf([good, good], [broken], [good, good])).toEqual(['broken', 'broken'])
    expect(answersOf([good, good], [pair({ rim: 0 })])).toEqual(['held', 'broken'])
  })

  test('ignore an inconclusive pair', () => {
    expect(answersOf([good], [pair({ light: null, rim: null })])).toEqual(['held', 'held'])
  })
})
