import { expect, test } from 'vitest'
import { instructionsIn } from '#lab/bench/acted/pace.ts'
import type { Moment } from '../../../../e2e/support/acted/witness.ts'

const plain = { heading: '', hint: null, seconds: null, isStraight: true }
const action = { ...plain, state: 'action', step: '1', seconds: 6 }
const done = { ...plain, state: 'done', step: null }

/** Moments a tenth of a second apart. */
const moments = (looks: readonly Omit<Moment, 'at'>[]): Moment[] =>
  looks.map((look, i) => ({ ...look, at: i * 100 }))
const times = <T>(count: number, look: T): T[] => Array.from({ length: count }, () => look)

test('an instruction is described by its time on screen, its clock, and the pause before the next', () => {
  const seen = moments([
    ...times(2, { ...plain, state: 'hold', step: null }),
    ...times(31, action),
    ...times(4, { ...action, seconds: 5 }),
    ...times(6, { ...done, isStraight: false }),
    ...times(9, done),
    { ...plain, state: 'closing', step: null },
  ])
  expect(instructionsIn(seen)).toEqual([
    { shown: 3500, untilClock: 3100, doneShown: 1500, straightBefore: 900 },
  ])
})

test('a clock that never counted has no time', () => {
  const seen = moments([...times(5, action), ...times(5, done), { ...action, step: '2' }])
  expect(instructionsIn(seen)).toMatchObject([{ shown: 500, untilClock: null }])
})

test('a person who is not straight at the next instruction was straight for no time', () => {
  const bent = { ...done, isStraight: false }
  const seen = moments([...times(5, action), ...times(5, bent), { ...action, step: '2', isStraight: false }])
  expect(instructionsIn(seen)).toMatchObject([{ straightBefore: 0 }])
})

test('an unperformed instruction is left out', () => {
  const paused = { ...plain, state: 'paused', step: null }
  expect(instructionsIn(moments([...times(5, action), paused, ...times(3, action)]))).toEqual([])
})
