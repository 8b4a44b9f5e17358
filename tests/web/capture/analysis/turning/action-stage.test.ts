import { describe, expect, test } from 'vitest'
import { actionLimits } from '#models/rules/challenge/action-limits.ts'
import { levelRest } from '#models/rules/challenge/rest.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import type { Candidate } from '#web/capture/analysis/selection.ts'
import type { StageAnswer } from '#web/capture/analysis/stages.ts'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import { actionStage } from '#web/capture/analysis/turning/action-stage.ts'
import { analysisOf } from '../../../support/analysis.ts'

type Look = Parameters<typeof analysisOf>[0]

const room = 5
const every = 100
const turned = { yaw: actionLimits.turnDegrees + 10 }
const wrong = { yaw: -turned.yaw }
const times = (count: number, look: Look) => Array.from({ length: count }, () => look)
const start = (isPardonLeft = false) => ({ neutral: levelRest, previous: null, pardon: () => isPardonLeft })

/** Long enough for the instruction, the turn, and these looks after it. */
const turnedThen = (...looks: Look[]) => [...times(9, {}), ...times(3, turned), ...looks]

/** Makes a step that turns left from these looks, one every 100 ms. Returns the result and the pictures it would submit at the end. */
function play(
  looks: readonly Look[],
  timeLimitInSeconds = 10,
  action: Action = 'turnLeft',
  isPardonLeft = false,
) {
  const stage = actionStage({ step: 1, action, timeLimitInSeconds }, room, start(isPardonLeft))
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
      const stage = actionStage({ step: 1, action: 'turnLeft', timeLimitInSeconds: 10 }, left, start())
      return looks.filter((look, i) => stage.watch(analysisOf(look), i * every).sure).length
    }
    expect(sureIn(times(9, {}), room)).toBe(2)
    expect(sureIn(times(9, {}), room - 1)).toBe(1)
    expect(sureIn([{}, ...times(8, { yaw: 8 })], room)).toBe(1)
    expect(sureIn(turnedThen(), 1)).toBe(0)
    expect(sureIn(turnedThen(), 2)).toBe(1)
  })

  test('whose compared pictures are sent still hands in its height, and no more of them', () => {
    const stage = actionStage({ step: 1, action: 'turnLeft', timeLimitInSeconds: 10 }, room, start())
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

describe('a turn to the wrong side', () => {
  const pardoned = (looks: readonly Look[]) => play(looks, 10, 'turnLeft', true)
  const indexes = (seen: readonly StageAnswer[], of: (answer: StageAnswer) => unknown) =>
    seen.flatMap((answer, i) => (of(answer) ? [i] : []))
  const corrected = [...times(9, {}), ...times(6, wrong), { yaw: -6 }, {}, { yaw: 6 }, ...times(3, turned)]

  test('is sent at once without a pardon, so that a later picture cannot leave it behind', () => {
    const { seen } = play(corrected)
    expect(indexes(seen, ({ sure, keep }) => sure && keep?.stray)).toEqual([10])
  })

  test('is followed by the hint until the head is on the requested side', () => {
    const { seen } = pardoned(corrected)
    expect(indexes(seen, ({ hint }) => hint === 'otherWay')).toEqual([10, 11, 12, 13, 14, 15, 16, 17])
  })

  test('leaves no picture among those of the step if it is corrected in time', () => {
    const { seen, chosen } = pardoned(corrected)
    expect(indexes(seen, ({ sure }) => sure)).toEqual([0, 4, 18])
    expect(seen.some(({ release }) => release)).toBe(false)
    expect(seen.at(-1)?.done).toBe(true)
    const wrongTimes = times(6, {}).map((_, i) => (9 + i) * every)
    expect(chosen.length).toBeGreaterThan(1)
    expect(chosen.filter(({ time }) => wrongTimes.includes(time))).toEqual([])
  })

  test('is sent if the head stays there', () => {
    const stays = thresholds.wrongTurn.turnedMilliseconds / every
    const { seen, chosen } = pardoned([...times(9, {}), ...times(stays + 2, wrong), {}, ...times(3, turned)])
    expect(indexes(seen, ({ release }) => release)).toEqual([10 + stays])
    expect(chosen.some(({ time }) => time > 8 * every && time <= (10 + stays) * every)).toBe(true)
  })

  test('is sent if the correction comes late', () => {
    const late = thresholds.wrongTurn.correctedMilliseconds / every
    const { seen } = pardoned([...times(9, {}), ...times(3, wrong), ...times(late, {}), ...times(3, turned)])
    expect(indexes(seen, ({ release }) => release)).toEqual([10 + late])
  })

  test.each([
    ['another movement', { pitch: actionLimits.upDegrees + 3 }],
    ['the same one again', wrong],
  ])('is sent if %s follows', (_, next) => {
    const { seen } = pardoned([...times(9, {}), ...times(3, wrong), {}, next, next, ...times(3, turned)])
    expect(indexes(seen, ({ release }) => release)).toEqual([13])
  })

  test('does not excuse a different movement after its correction', () => {
    const between = { yaw: 12 }
    const up = { pitch: actionLimits.upDegrees + 3 }
    const { seen } = pardoned([...times(9, {}), ...times(3, wrong), {}, between, up, up, ...times(3, turned)])
    expect(indexes(seen, ({ sure, keep }) => sure && keep?.stray)).toEqual([15])
  })

  test('is sent at once if it follows a smile', () => {
    const smiling = { smile: 0.8 }
    const { seen } = play([...times(9, {}), ...times(3, smiling), {}, ...times(3, wrong)])
    expect(indexes(seen, ({ sure, keep }) => sure && keep?.stray)).toEqual([10, 14])
  })

  test('is no straight picture, even before it is noticed', () => {
    const { seen } = play([{ yaw: -8 }, { yaw: -12 }, { yaw: -8 }, {}])
    expect(indexes(seen, ({ sure }) => sure)).toEqual([3])
  })
})
