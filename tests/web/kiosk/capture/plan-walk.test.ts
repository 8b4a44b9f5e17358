import { describe, expect, test } from 'vitest'
import type { Outcome } from '#models/rules/challenge/step.ts'
import type { KioskPlan } from '#shared/contract/kiosk/kiosk-capture.ts'
import {
  beginWalk,
  closeStep,
  isPerformed,
  nextOf,
  type PlanWalk,
  restartStep,
  stepsOf,
} from '#web/kiosk/capture/plan-walk.ts'

const plan = (actionCount: number, actions: KioskPlan['actions']): KioskPlan => ({
  jti: 'plan-1',
  sub: 'kiosk-1',
  iss: 'https://check.example',
  verificationId: 'verification-1',
  challengeType: actionCount === 1 ? 'Balanced' : 'Advanced',
  actionCount,
  actions,
  timeLimitInSeconds: 10,
  iat: 0,
  exp: 1,
})

/** The walk after step 0 and these outcomes, with one second for each. */
function walked(of: KioskPlan, ...outcomes: Outcome[]): PlanWalk {
  const begun = closeStep({ ...beginWalk(), plan: of }, null, 1000)
  return outcomes.reduce((walk, outcome, i) => closeStep(walk, outcome, 2000 + 1000 * i), begun)
}

const four = ['turnLeft', 'lookUp', 'smile', 'turnRight'] as const
const asked = (walk: PlanWalk) => nextOf(walk)?.action ?? null

describe('a challenge without a server', () => {
  test('requests the actions of its plan in order, each in a separate step', () => {
    const advanced = plan(3, [...four])
    expect(nextOf(walked(advanced))).toEqual({ step: 1, action: 'turnLeft', timeLimitInSeconds: 10 })
    expect(nextOf(walked(advanced, 'performed'))).toMatchObject({ step: 2, action: 'lookUp' })
    expect(nextOf(walked(advanced, 'performed', 'performed'))).toMatchObject({ step: 3, action: 'smile' })
    const done = walked(advanced, 'performed', 'performed', 'performed')
    expect(nextOf(done)).toBeNull()
    expect(isPerformed(done)).toBe(true)
  })

  test.each<[string, Outcome[], string | null, boolean]>([
    ['one failed step is repeated with the next action', ['notPerformed'], 'lookUp', false],
    ['the repeat counts', ['notPerformed', 'performed'], null, true],
    ['a second failure ends it', ['notPerformed', 'notPerformed'], null, false],
    ['a wrong action costs another one', ['otherAction', 'performed'], 'smile', false],
    ['two right ones make up for it', ['otherAction', 'performed', 'performed'], null, true],
  ])('%s', (_, outcomes, next, isMet) => {
    const walk = walked(plan(1, [...four]), ...outcomes)
    expect(asked(walk)).toBe(next)
    expect(isPerformed(walk)).toBe(isMet)
  })

  test('ends unmet if the plan is exhausted', () => {
    const walk = walked(plan(1, ['turnLeft']), 'notPerformed')
    expect(nextOf(walk)).toBeNull()
    expect(isPerformed(walk)).toBe(false)
  })

  test('gives twice the time on request, with the same action', () => {
    const walk = restartStep(walked(plan(1, [...four])), 'moreTime', 5000, true)
    expect(nextOf(walk)).toEqual({ step: 1, action: 'turnLeft', timeLimitInSeconds: 20 })
    expect(stepsOf(closeStep(walk, 'performed', 7000)).at(-1)).toEqual({
      step: 1,
      action: 'turnLeft',
      accepted: true,
      startedAt: 5000,
      endedAt: 7000,
      clockRestarts: 1,
    })
  })

  test('replaces an action twice if that is allowed, and then no more', () => {
    const first = restartStep(walked(plan(1, [...four])), 'otherAction', 0, true)
    const second = restartStep(first, 'otherAction', 0, true)
    const third = restartStep(second, 'otherAction', 0, true)
    expect([first, second, third].map(asked)).toEqual(['lookUp', 'smile', 'smile'])
    expect(stepsOf(closeStep(third, 'performed', 1)).at(-1)).toMatchObject({
      otherActions: 2,
      clockRestarts: 3,
    })
  })

  test('never replaces an action if that is not allowed', () => {
    expect(asked(restartStep(walked(plan(1, [...four])), 'otherAction', 0, false))).toBe('turnLeft')
  })

  test('is met without a plan, with step 0 alone', () => {
    const walk = closeStep(beginWalk(), null, 900)
    expect(isPerformed(walk)).toBe(true)
    expect(stepsOf(walk)).toEqual([{ step: 0, action: null, accepted: true, startedAt: 0, endedAt: 900 }])
  })
})
