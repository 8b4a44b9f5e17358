import { describe, expect, test } from 'vitest'
import { actionLimits, strayShare } from '#models/rules/challenge/action-limits.ts'
import { levelRest } from '#models/rules/challenge/rest.ts'
import {
  type Ask,
  type ChallengeMemory,
  noChallenge,
  watchAction,
} from '#web/capture/analysis/action-watch.ts'
import { noClosing, watchClosing } from '#web/capture/analysis/closing.ts'
import { hold, holdProgress, neutralOfHold, noHold } from '#web/capture/analysis/hold.ts'
import { thresholds as t } from '#web/capture/analysis/thresholds.ts'
import { analysisOf, emptyAnalysis } from '../../support/analysis.ts'

type Look = Parameters<typeof analysisOf>[0]
const neutral = { ...levelRest, size: 0.38 }

/** One analysis every 100 ms. */
function act(ask: Partial<Ask>, looks: Look[]): ChallengeMemory {
  let memory = noChallenge
  looks.forEach((look, index) => {
    memory = watchAction(memory, analysisOf(look), index * 100, {
      action: 'turnLeft',
      neutral,
      previous: null,
      ...ask,
    })
  })
  return memory
}

const beyond = actionLimits.turnDegrees + 5
/** Looks straight ahead for long enough that an answer is no longer too early. */
const awhile = () => times(t.action.leastMilliseconds / 100, {})
const times = (count: number, look: Look) => Array.from({ length: count }, () => look)

describe('an action is done', () => {
  test.each([
    ['turnLeft', { yaw: beyond }],
    ['turnRight', { yaw: -beyond }],
    ['lookUp', { pitch: actionLimits.upDegrees + 3 }],
    ['smile', { smile: 0.75 }],
    ['comeCloser', { size: 0.38 * 1.5 }],
  ] as const)('%s after enough analyses in a row beyond its threshold', (action, look) => {
    const enough = t.action.analyses
    expect(act({ action }, [...awhile(), ...times(enough - 1, look)]).done).toBe(false)
    expect(act({ action }, [...awhile(), ...times(enough - 1, look), {}, look]).done).toBe(false)
    expect(act({ action }, [...awhile(), ...times(enough, look)]).done).toBe(true)
  })

  test('not faster than a person can react', () => {
    const soon = t.action.leastMilliseconds / 100
    expect(soon).toBe(8)
    expect(act({}, times(soon, { yaw: beyond })).done).toBe(false)
    expect(act({}, times(soon + 1, { yaw: beyond })).done).toBe(true)
  })

  test('a blink when the eyes open again after 150 ms', () => {
    const closed = { eyesClosed: 0.95 }
    const open = { eyesClosed: 0.05 }
    expect(act({ action: 'blink' }, [open, closed, closed, closed]).done).toBe(false)
    expect(act({ action: 'blink' }, [open, closed, open]).done).toBe(false)
    expect(act({ action: 'blink' }, [open, closed, closed, closed, open]).done).toBe(true)
  })

  test('measured from the pose of the hold', () => {
    const turned = { ...neutral, yaw: 10 }
    const look = { yaw: actionLimits.turnDegrees + 3 }
    expect(act({ neutral: turned }, [{ yaw: 10 }, ...times(12, look)]).done).toBe(false)
  })

  test('not by a remainder of the same action before', () => {
    const again = { previous: 'turnLeft' } as const
    expect(act(again, times(5, { yaw: beyond })).done).toBe(false)
    expect(
      act(again, [{ yaw: beyond }, ...awhile(), ...times(t.action.analyses, { yaw: beyond })]).done,
    ).toBe(true)
  })

  test('not without a face', () => {
    const ask = { action: 'turnLeft', neutral, previous: null } as const
    const memory = watchAction(noChallenge, emptyAnalysis(), 0, ask)
    expect(memory.done).toBe(false)
  })
})

describe('another action instead', () => {
  test.each([
    ['turnRight', { yaw: -beyond }],
    ['lookUp', { pitch: actionLimits.upDegrees + 3 }],
    ['lookDown', { pitch: -actionLimits.downDegrees - 3 }],
    ['smile', { smile: 0.8 }],
  ] as const)('%s is noticed', (other, look) => {
    expect(act({}, [{}, ...times(t.action.analyses, look)]).other).toBe(other)
  })

  test('is not accepted once only', () => {
    expect(act({}, [{}, { yaw: -beyond }, {}]).other).toBeNull()
  })

  test('is not the way back from the last action', () => {
    const coming = [{ yaw: -30 }, { yaw: -25 }, { yaw: -beyond }, {}]
    expect(act({ previous: 'turnRight' }, coming).other).toBeNull()
    expect(act({ previous: null, neutral }, [{}, ...coming]).other).toBe('turnRight')
  })

  test('is not a natural blink, but shut eyes', () => {
    expect(act({}, [{}, ...times(3, { eyesClosed: 1 })]).other).toBeNull()
    expect(act({}, [{}, ...times(6, { eyesClosed: 1 })]).other).toBe('blink')
  })
})

describe('the first hold', () => {
  const run = (looks: [Look, boolean][]) => {
    let memory = noHold
    looks.forEach(([look, good], index) => {
      memory = hold(memory, analysisOf(look), good, index * 100)
    })
    return memory
  }
  test('takes 1.2 s of good frames', () => {
    expect(holdProgress(run(Array.from({ length: 12 }, () => [{}, true])))).toBeLessThan(1)
    expect(holdProgress(run(Array.from({ length: 13 }, () => [{}, true])))).toBe(1)
  })

  test('is paused by a lapse', () => {
    const looks: [Look, boolean][] = [
      ...Array.from({ length: 6 }, (): [Look, boolean] => [{}, true]),
      ...Array.from({ length: 9 }, (): [Look, boolean] => [{}, false]),
    ]
    expect(run(looks).goodMilliseconds).toBe(500)
  })

  test('restarts after a movement', () => {
    const still: [Look, boolean][] = Array.from({ length: 6 }, () => [{}, true])
    expect(run([...still, [{ yaw: 30 }, false]])).toBe(noHold)
    expect(run([...still, [{ pitch: -20 }, false]])).toBe(noHold)
  })

  test('gives the median pose', () => {
    const memory = run([
      [{ yaw: 1 }, true],
      [{ yaw: 9 }, true],
      [{ yaw: 3 }, true],
    ])
    expect(neutralOfHold(memory).yaw).toBe(3)
  })
})

describe('the last look', () => {
  const run = (looks: Look[], previous: 'turnLeft' | null = 'turnLeft') => {
    let memory = noClosing
    const strays: number[] = []
    looks.forEach((look, index) => {
      const from = { neutral, previous }
      memory = watchClosing(memory, analysisOf(look), true, index * 100, from)
      if (memory.strayed) strays.push(index)
    })
    return { memory, strays }
  }
  test('is over with the first picture of somebody who looks straight ahead', () => {
    expect(run([{ yaw: 12 }]).memory.held).toBe(false)
    expect(run([{ yaw: 12 }, {}]).memory.held).toBe(true)
  })

  test('waits for a head that is still on its way back, but not for one that stays there', () => {
    const onTheWay = { yaw: actionLimits.turnDegrees * (t.closing.straightShare + 0.2) }
    expect(run([{ yaw: 12 }, onTheWay]).memory.held).toBe(false)
    expect(run([{ yaw: 12 }, onTheWay, {}]).memory.held).toBe(true)
    expect(run([{ yaw: 12 }, ...times(4, onTheWay)]).memory.held).toBe(true)
  })

  test('lets the person come back from the last action first', () => {
    expect(run([...times(15, { yaw: 30 }), {}])).toMatchObject({
      strays: [],
      memory: { held: true },
    })
  })

  test('keeps the opposite movement', () => {
    expect(run([{ yaw: 30 }, { yaw: -30 }]).strays).toEqual([1])
  })

  test('lets more of the last action only delay it', () => {
    const { strays, memory } = run(times(20, { yaw: 30 }))
    expect(strays).toEqual([])
    expect(memory.held).toBe(false)
    expect(run([...times(20, { yaw: 30 }), {}]).memory.held).toBe(true)
  })

  test.each([
    [
      'turnRight',
      { yaw: -strayShare * actionLimits.turnDegrees - 0.01 },
      { yaw: -strayShare * actionLimits.turnDegrees + 0.01 },
    ],
    [
      'lookUp',
      { pitch: strayShare * actionLimits.upDegrees + 0.01 },
      { pitch: strayShare * actionLimits.upDegrees - 0.01 },
    ],
    [
      'lookDown',
      { pitch: -strayShare * actionLimits.downDegrees - 0.01 },
      { pitch: -strayShare * actionLimits.downDegrees + 0.01 },
    ],
  ])('keeps %s at 0.8 of an action, and nothing less', (_, enough, less) => {
    expect(strayShare).toBe(0.8)
    expect(run([{}, enough]).strays).toEqual([1])
    expect(run([{}, less]).strays).toEqual([])
  })

  test('ends after 10 s at the latest', () => {
    expect(run(times(101, { yaw: 30 })).memory.timedOut).toBe(true)
  })
})
