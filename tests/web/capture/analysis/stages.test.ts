import { describe, expect, test } from 'vitest'
import { actionLimits } from '#models/rules/challenge/action-limits.ts'
import { levelRest } from '#models/rules/challenge/rest.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import type { Candidate } from '#web/capture/analysis/selection.ts'
import { actionStage, alignStage, type Observed } from '#web/capture/analysis/stages.ts'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import type { Analysis } from '#workers/api.ts'
import { analysisOf } from '../../support/analysis.ts'

type Look = Parameters<typeof analysisOf>[0]

const room = 5
const every = 100
const turned = { yaw: actionLimits.turnDegrees + 10 }
const times = (count: number, look: Look) => Array.from({ length: count }, () => look)
/** Enough time for the instruction, the turn, and then these looks. */
const turnedThen = (...looks: Look[]) => [...times(9, {}), ...times(3, turned), ...looks]

/** The result of a step of a turn to the left for these looks, one every 100 ms, and the pictures that it would submit at its end. */
function play(looks: readonly Look[], timeLimitInSeconds = 10, action: Action = 'turnLeft') {
  const stage = actionStage({ step: 1, action, timeLimitInSeconds }, room, levelRest, null)
  const seen: Observed[] = []
  const candidates: Candidate[] = []
  looks.forEach((look, i) => {
    if (seen.at(-1)?.done) return
    const observed = stage.watch(analysisOf(look), i * every)
    seen.push(observed)
    if (observed.keep) candidates.push({ bytes: new Uint8Array(), time: i * every, ...observed.keep })
  })
  return { seen, candidates, chosen: stage.select(candidates) }
}

const actedAt = (seen: readonly Observed[]) => seen.findIndex(({ acted }) => acted)
const doneAt = (seen: readonly Observed[]) => seen.findIndex(({ done }) => done)

describe('a step', () => {
  test('reports once that the action is done, and ends when the person is back', () => {
    const { seen } = play(turnedThen(...times(10, turned), ...times(10, {})))
    expect(seen.filter(({ acted }) => acted)).toHaveLength(1)
    expect(doneAt(seen)).toBeGreaterThan(actedAt(seen) + 10)
  })

  test.each([
    ['turnLeft', 'headStraight', {}],
    ['lookUp', 'chinLevel', {}],
    ['smile', 'noSmile', {}],
    ['lookUp', 'chinLevel', { yaw: 5 }],
  ] as const)(
    'shows after four seconds what is visible of %s if no movement begins: %s',
    (action, hint, look) => {
      const after = thresholds.unmoved.afterMilliseconds / every
      const { seen } = play(times(after + 10, look), 10, action)
      const hints = seen.map((observed) => observed.hint)
      expect(hints.slice(0, after)).toEqual(times(after, {}).map(() => null))
      expect(hints[after]).toBe(hint)
    },
  )

  test('reports nothing during an action', () => {
    const halfway = { yaw: actionLimits.turnDegrees * (thresholds.unmoved.share + 0.2) }
    const { seen } = play(times(60, halfway))
    expect(seen.every(({ hint }) => hint === null)).toBe(true)
  })

  test('keeps no picture of the way back', () => {
    const { seen, candidates } = play(turnedThen(...times(20, {})))
    expect(candidates.every(({ time }) => time <= actedAt(seen) * every)).toBe(true)
  })

  test('uses the straight look of the way back if the turn was in progress when the step began', () => {
    const { chosen, seen } = play([...times(12, turned), ...times(20, {})])
    expect(doneAt(seen)).toBeGreaterThan(0)
    expect(chosen.filter(({ time }) => time > actedAt(seen) * every)).toHaveLength(1)
  })

  test('uses a comparable picture of the way back if the head was turned far at once', () => {
    const far = { yaw: 45 }
    const between = { yaw: 25 }
    const { chosen, seen } = play([...times(9, {}), ...times(3, far), between, ...times(20, {})])
    expect(doneAt(seen)).toBeGreaterThan(0)
    expect(chosen.map(({ time }) => time)).toContain(12 * every)
  })

  test('uses nothing of the way back for actions that do not turn the head', () => {
    const smiling = { smile: 1, happy: 0.9 }
    const { candidates, seen } = play([...times(9, smiling), ...times(20, {})], 10, 'smile')
    expect(candidates.every(({ time }) => time <= actedAt(seen) * every)).toBe(true)
  })

  test('submits the next movement of a head that was back', () => {
    const other = { yaw: -turned.yaw }
    const { seen, chosen } = play(turnedThen({}, {}, other, other, other))
    expect(seen.at(-1)?.done).toBe(true)
    expect(chosen.some(({ time }) => time > actedAt(seen) * every)).toBe(true)
  })

  test('leaves time for its pictures to arrive', () => {
    const { seen } = play(turnedThen(...times(80, turned)), 3)
    expect(doneAt(seen) * every).toBe(3000 - thresholds.comingBack.spareMilliseconds)
  })
})

describe('the oval', () => {
  const stayed = (missing: Analysis['missing']) => {
    const stage = alignStage(() => {})
    return Array.from({ length: 20 }, (_, i) =>
      stage.watch({ ...analysisOf(), ...(missing && { missing }) }, i * every),
    )
  }

  test('is done once the face has fitted for a while', () => {
    expect(doneAt(stayed(undefined))).toBe(thresholds.fitMilliseconds / every)
  })

  test('waits for the measure of a smile at rest, and not for liveness', () => {
    expect(doneAt(stayed(['liveness', 'expression']))).toBe(-1)
    expect(doneAt(stayed(['liveness']))).toBe(thresholds.fitMilliseconds / every)
  })
})
