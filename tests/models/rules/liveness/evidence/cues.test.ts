import { expect, test } from 'vitest'
import { cuesOf } from '#models/rules/liveness/evidence/cues.ts'
import { frameOf, opening, turning } from '../../../../support/drawn/observations.ts'

const forged = { degrees: 20, light: 0.001, rim: 0.01 }
const living = { degrees: 20, light: 0.05, rim: 0.3 }
const pairOf = (turned: typeof living, receivedAt: number) => frameOf({ step: 1, receivedAt, turned })
const answersOf = (...observations: ReturnType<typeof pairOf>[]) =>
  cuesOf({ steps: [opening, turning], observations, trail: [] })
    .slice(0, 2)
    .map(({ answer }) => answer)

const during = turning.answeredAt
const after = during + 1000

test('good pairs that arrive after a step was answered do not outvote its own', () => {
  const turn = [pairOf(forged, during), pairOf(forged, during)]
  const late = [1, 2, 3].map(() => pairOf(living, after))
  expect(answersOf(...turn)).toEqual(['broken', 'broken'])
  expect(answersOf(...turn, ...late)).toEqual(['broken', 'broken'])
})

test('pairs that arrive with the answer are judged together', () => {
  const turn = [pairOf(living, during), pairOf(forged, during), pairOf(living, during)]
  expect(answersOf(...turn)).toEqual(['held', 'held'])
})

test('good pairs of an action that was replaced do not outvote those of the new one', () => {
  const exchangedAt = during - 1000
  const replaced = [1, 2, 3].map(() => pairOf(living, exchangedAt - 500))
  const observations = [...replaced, pairOf(forged, during), pairOf(forged, during)]
  const cues = cuesOf({ steps: [opening, { ...turning, exchangedAt }], observations, trail: [] })
  expect(cues.slice(0, 2).map(({ answer }) => answer)).toEqual(['broken', 'broken'])
})
