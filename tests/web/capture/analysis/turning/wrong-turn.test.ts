import { describe, expect, test } from 'vitest'
import { levelRest } from '#models/rules/challenge/rest.ts'
import { strengthsOf } from '#models/rules/challenge/strength.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import { noWrongTurn, watchWrongTurn } from '#web/capture/analysis/turning/wrong-turn.ts'
import { analysisOf } from '../../../support/analysis.ts'

const { turnedMilliseconds, correctedMilliseconds } = thresholds.wrongTurn

/** The phases after these yaws, one every 100 ms, while a turn to the left (positive) is requested. */
function phases(yaws: readonly number[], action: Action = 'turnLeft') {
  let memory = noWrongTurn
  return yaws.map((yaw, i) => {
    memory = watchWrongTurn(memory, strengthsOf(analysisOf({ yaw }), levelRest)!, i * 100, action)
    return memory.phase
  })
}
const times = (count: number, yaw: number) => Array.from({ length: count }, () => yaw)

describe('a wrong turn', () => {
  test('is noticed on the second analysis, before it is as large as an action', () => {
    expect(phases([0, -11, -11])).toEqual(['none', 'none', 'turned'])
    expect(phases([0, -11, 0, -11])).toEqual(times(4, 0).map(() => 'none'))
    expect(phases(times(5, -10))).toEqual(times(5, 0).map(() => 'none'))
  })

  test('is corrected once the head is on the requested side', () => {
    expect(phases([-20, -20, -8, -7, 0, 10, 11]).slice(1)).toEqual([
      'turned',
      'turned',
      'leaving',
      'leaving',
      'leaving',
      'corrected',
    ])
    expect(phases([-20, -20, 20]).at(-1)).toBe('corrected')
  })

  test('counts if the head stays on its side', () => {
    const stays = turnedMilliseconds / 100
    expect(phases(times(stays + 1, -20)).at(-1)).toBe('turned')
    expect(phases(times(stays + 2, -20)).at(-1)).toBe('counted')
  })

  test('counts if the head does not reach the other side in time', () => {
    const most = correctedMilliseconds / 100
    expect(phases([-20, -20, ...times(most - 1, 0)]).at(-1)).toBe('leaving')
    expect(phases([-20, -20, ...times(most, 0)]).at(-1)).toBe('counted')
  })

  test('counts if it is made again', () => {
    expect(phases([-20, -20, 0, -16]).at(-1)).toBe('counted')
  })

  test('exists for turns only', () => {
    expect(phases(times(5, -20), 'lookUp').at(-1)).toBe('none')
    expect(phases(times(5, 20), 'turnRight').at(-1)).toBe('turned')
  })
})
