import { describe, expect, test } from 'vitest'
import { actionLimits, backShare } from '#models/rules/challenge/action-limits.ts'
import { levelRest } from '#models/rules/challenge/rest.ts'
import { type ComingBack, notComing, watchComingBack } from '#web/capture/analysis/coming-back.ts'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import { analysisOf, emptyAnalysis } from '../../support/analysis.ts'

type Look = Parameters<typeof analysisOf>[0] | null

const { straightShare, straightMilliseconds, nearlyMilliseconds, readMilliseconds } = thresholds.comingBack
const every = 100
const turned = { yaw: actionLimits.turnDegrees + 10 }
const times = (count: number, look: Look): Look[] => Array.from({ length: count }, () => look)

/** One analysis every 100 ms. Null means an analysis without a face. */
function comeBack(looks: readonly Look[], longest = 4000): ComingBack {
  let memory = notComing
  looks.forEach((look, i) => {
    if (memory.over) return
    const analysis = look === null ? emptyAnalysis() : analysisOf(look)
    memory = watchComingBack(memory, analysis, i * every, { neutral: levelRest, longest })
  })
  return memory
}

/** How many milliseconds it takes; undefined if it does not end. */
function overAfter(looks: readonly Look[], longest?: number): number | undefined {
  const first = looks.findIndex((_, i) => comeBack(looks.slice(0, i + 1), longest).over)
  return first < 0 ? undefined : first * every
}

describe('the way back is over', () => {
  test('when the head has been straight for a while', () => {
    expect(overAfter([...times(9, turned), ...times(9, {})])).toBe(900 + straightMilliseconds)
  })

  test('not before the instruction can be read', () => {
    expect(overAfter(times(20, {}))).toBe(readMilliseconds)
  })

  test('not by passing through', () => {
    expect(comeBack([...times(9, turned), {}, {}, ...times(1, turned)]).over).toBe(false)
  })

  test.each([
    [straightShare - 0.01, readMilliseconds],
    [straightShare + 0.01, nearlyMilliseconds],
    [backShare - 0.01, nearlyMilliseconds],
    [backShare + 0.01, undefined],
  ])('at %d of a turn after %j ms', (share, milliseconds) => {
    expect(overAfter(times(20, { yaw: share * actionLimits.turnDegrees }))).toBe(milliseconds)
  })

  test('not while a slow head still comes back', () => {
    const share = (i: number) => ({ yaw: Math.max(0, 2 - i * 0.13) * actionLimits.turnDegrees })
    const looks = Array.from({ length: 30 }, (_, i) => share(i))
    const straightAt = looks.findIndex(({ yaw }) => yaw < straightShare * actionLimits.turnDegrees)
    expect(overAfter(looks)).toBe(straightAt * every + straightMilliseconds)
  })

  test('at the latest after the remaining time, whoever is in view', () => {
    expect(overAfter(times(60, turned))).toBe(4000)
    expect(overAfter(times(60, null))).toBe(4000)
    expect(overAfter(times(60, turned), 600)).toBe(600)
    expect(overAfter(times(60, turned), -100)).toBe(0)
  })
})

describe('an unrequested movement', () => {
  test('does not count before the head was straight once', () => {
    const swing = [...times(3, turned), ...times(3, { yaw: -turned.yaw }), ...times(9, {})]
    expect(comeBack(swing)).toMatchObject({ over: true, strayed: false })
  })

  test.each([{ yaw: -turned.yaw }, turned, { pitch: actionLimits.upDegrees + 2 }])(
    'ends it after the head was straight: %j',
    (other) => {
      expect(comeBack([...times(3, turned), {}, other]).strayed).toBe(false)
      expect(comeBack([...times(3, turned), {}, other, other])).toMatchObject({ over: true, strayed: true })
    },
  )

  test('needs several consecutive analyses', () => {
    const other = { yaw: -turned.yaw }
    expect(comeBack([turned, {}, other, {}, other, null, other]).strayed).toBe(false)
  })
})
