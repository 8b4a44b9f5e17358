import { describe, expect, test } from 'vitest'
import { actionLimits } from '#models/rules/challenge/action-limits.ts'
import { levelRest } from '#models/rules/challenge/rest.ts'
import type { Candidate } from '#web/capture/analysis/selection.ts'
import {
  alignStage,
  closingStage,
  halfwayStage,
  holdStage,
  type StageAnswer,
} from '#web/capture/analysis/stages.ts'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import type { Analysis } from '#workers/api.ts'
import { analysisOf, emptyAnalysis } from '../../support/analysis.ts'

type Look = Parameters<typeof analysisOf>[0]

const room = 5
const every = 100
const times = (count: number, look: Look) => Array.from({ length: count }, () => look)
const doneAt = (seen: readonly StageAnswer[]) => seen.findIndex(({ done }) => done)

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

const half = thresholds.comingBack.straightShare * actionLimits.turnDegrees

test('the way back is over once the head is nearer to straight than to the action', () => {
  const stage = halfwayStage(levelRest)
  expect(stage.watch(analysisOf({ yaw: 25 }), 0).done).toBe(false)
  expect(stage.watch(analysisOf({ yaw: half + 0.1 }), 100).done).toBe(false)
  expect(stage.watch(analysisOf({ yaw: half - 0.1 }), 200).done).toBe(true)
})

test('the way back of somebody who stays turned, or is gone, does not last for ever', () => {
  for (const look of [analysisOf({ yaw: 25 }), emptyAnalysis()]) {
    const stage = halfwayStage(levelRest)
    expect(stage.watch(look, 0).done).toBe(false)
    expect(stage.watch(look, thresholds.comingBack.mostMilliseconds).done).toBe(true)
  }
})

test('a hold hands in the best picture so far, and does not wait for it for long', () => {
  const sureIn = (looks: readonly Look[]) => {
    const stage = holdStage(() => {})
    return looks.flatMap((look, i) => (stage.watch(analysisOf(look), i * every).sure ? [i] : []))
  }
  expect(sureIn(times(12, {}))).toEqual([4, 8])
  expect(sureIn([...times(4, {}), { yaw: 5 }, ...times(7, {})])).toEqual([5, 8])
  expect(sureIn([...times(4, {}), ...times(8, { yaw: 5 })])).toEqual([6, 10])
})

test('the final look sends the picture that ended it, and not those of the way back', () => {
  const stage = closingStage(room, levelRest, 'turnLeft')
  const looks = [{ yaw: 12 }, { yaw: 9 }, { yaw: 7 }, {}]
  const candidates = looks.flatMap((look, i): Candidate[] => {
    const { keep } = stage.watch(analysisOf(look), i * every)
    return keep === undefined ? [] : [{ bytes: new Uint8Array(), time: i * every, ...keep }]
  })
  expect(candidates.length).toBeGreaterThan(1)
  expect(stage.select(candidates).map(({ time }) => time)).toEqual([3 * every])
})

test('what a hold still has to submit was taken after the pictures that it handed in', () => {
  const stage = holdStage(() => {})
  const picture = { bytes: new Uint8Array(), strength: 0, stray: false }
  const better = { ...picture, time: 100, merit: 9 }
  const sent = { ...picture, time: 400, merit: 1, isSent: true }
  const last = { ...picture, time: 900, merit: 1 }
  expect(stage.select([better, sent, last]).map(({ time }) => time)).toEqual([900])
})
