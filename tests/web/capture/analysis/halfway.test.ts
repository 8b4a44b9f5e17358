import { expect, test } from 'vitest'
import { actionLimits } from '#models/rules/challenge/action-limits.ts'
import { levelRest } from '#models/rules/challenge/rest.ts'
import { halfwayStage } from '#web/capture/analysis/halfway.ts'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import { analysisOf, emptyAnalysis } from '../../support/analysis.ts'

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
