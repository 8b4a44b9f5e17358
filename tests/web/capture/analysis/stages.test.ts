import { describe, expect, test } from 'vitest'
import { actionLimits } from '#models/rules/challenge/action-limits.ts'
import { levelRest } from '#models/rules/challenge/rest.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import type { Candidate } from '#web/capture/analysis/selection.ts'
import {
  actionStage,
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
const turned = { yaw: actionLimits.turnDegrees + 10 }
const times = (count: number, look: Look) => Array.from({ length: count }, () => look)
/** Long enough for the instruction, the turn, and these looks after it. */
const turnedThen = (...looks: Look[]) => [...times(9, {}), ...times(3, turned), ...looks]

/** Makes a step that turns left from these looks, one every 100 ms. Returns the result and the pictures it would submit at the end. */
function play(looks: readonly Look[], timeLimitInSeconds = 10, action: Action = 'turnLeft') {
  const stage = actionStage({ step: 1, action, timeLimitInSeconds }, room, levelRest, null)
  const seen: StageAnswer[] = []
  const candidates: Candidate[] = []
  looks.forEach((look, i) => {
    if (seen.at(-1)?.done) return
    const observed = stage.watch(analysisOf(look), i * every)
    seen.push(observed)
    if (observed.keep) candidates.push({ bytes: new Uint8Array(), time: i * every, ...observed.keep })
  })
  return { seen, candidates, chosen: stage.select(candidates) }
}

const actedAt = (seen: readonly StageAnswer[]) => seen.findIndex(({ acted }) => acted)
const doneAt = (seen: readonly StageAnswer[]) => seen.findIndex(({ done }) => done)

describe('a step', () => {
  test('ends with the action, the head still turned, where all that the server compares was seen', () => {
    const { seen, chosen } = play(turnedThen(...times(10, turned)))
    expect(actedAt(seen)).toBe(-1)
    expect(doneAt(seen)).toBe(9 + thresholds.action.analyses - 1)
    expect(chosen.some(({ time }) => time < 9 * every)).toBe(true)
  })

  test('lets go at once what is compared: the straight picture of before the turn, and a turned one', () => {
    const { seen } = play(turnedThen())
    const sure = seen.flatMap((observed, i) => (observed.sure ? [i] : []))
    expect(sure).toEqual([0, thresholds.readingMilliseconds / every, 9])
  })

  test('sends no second straight picture if the frames are running out, or the turn begins at once', () => {
    const sureIn = (looks: readonly Look[], left: number) => {
      const stage = actionStage(
        { step: 1, action: 'turnLeft', timeLimitInSeconds: 10 },
        left,
        levelRest,
        null,
      )
      return looks.filter((look, i) => stage.watch(analysisOf(look), i * every).sure).length
    }
    expect(sureIn(times(9, {}), room)).toBe(2)
    expect(sureIn(times(9, {}), room - 1)).toBe(1)
    expect(sureIn([{}, ...times(8, { yaw: 8 })], room)).toBe(1)
    expect(sureIn(turnedThen(), 1)).toBe(0)
    expect(sureIn(turnedThen(), 2)).toBe(1)
  })

  test('whose compared pictures are sent still hands in its height, and no more of them', () => {
    const stage = actionStage({ step: 1, action: 'turnLeft', timeLimitInSeconds: 10 }, room, levelRest, null)
    const picture = { bytes: new Uint8Array(), merit: 1, stray: false }
    const sent = [
      { ...picture, time: 0, strength: 0, isSent: true },
      { ...picture, time: 900, strength: 1.2, isSent: true },
    ]
    const left = [
      { ...picture, time: 1000, strength: 1.4 },
      { ...picture, time: 1100, strength: 1.7 },
    ]
    expect(stage.select([...sent, ...left]).map(({ time }) => time)).toEqual([1100])
  })

  test('tells once that the action is done, and goes on, where the straight picture is still missing', () => {
    const { seen } = play([...times(12, turned), ...times(4, turned), ...times(10, {})])
    expect(seen.filter(({ acted }) => acted).length).toBeGreaterThan(0)
    expect(doneAt(seen)).toBeGreaterThan(actedAt(seen))
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

  test('takes the straight look of the way back where the turn was under way when the step began', () => {
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
    expect(candidates.every(({ time }) => time <= doneAt(seen) * every)).toBe(true)
  })

  test('submits the next movement of a head that was back', () => {
    const other = { yaw: -turned.yaw }
    const far = { yaw: 45 }
    const { seen, chosen } = play([...times(9, {}), ...times(3, far), {}, {}, other, other, other])
    expect(seen.at(-1)?.done).toBe(true)
    expect(chosen.some(({ time }) => time > actedAt(seen) * every)).toBe(true)
  })

  test('leaves time for its pictures to arrive', () => {
    const { seen } = play([...times(12, { yaw: 45 }), ...times(80, { yaw: 45 })], 3)
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

test('a turn to the wrong side goes at once, so that a later picture cannot leave it behind', () => {
  const { seen } = play([
    ...times(9, {}),
    ...times(3, { yaw: -turned.yaw }),
    ...times(9, {}),
    ...times(3, turned),
  ])
  expect(seen.findIndex(({ sure, keep }) => sure === true && keep?.stray === true)).toBeGreaterThan(8)
})
