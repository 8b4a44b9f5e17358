import { describe, expect, test } from 'vitest'
import { plannedBy } from '#models/rules/challenge/plan.ts'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { StepName } from '#web/preview/preview-messages.ts'
import { situationOf, stepAfter, stepsOf, straightOn } from '#web/preview/preview-walk.ts'

const planOf = (challengeType?: 'Balanced' | 'Advanced'): CapturePlan => ({
  ...plannedBy(challengeType === undefined ? {} : { liveness: { type: 'Verification', challengeType } }),
  locale: null,
  theme: { accountName: 'Shop', accentColour: null, logo: null, region: 'EU' },
  embedOrigins: [],
})

describe('the walk through a check', () => {
  test.each([
    [undefined, []],
    ['Balanced', ['action1']],
    ['Advanced', ['action1', 'action2', 'action3']],
  ] as const)('asks for the number of actions of %s', (type, actions) => {
    expect(straightOn(planOf(type))).toEqual([
      'consent',
      'ready',
      'align',
      'hold',
      ...actions,
      'sending',
      'passed',
    ])
  })

  test('offers another try if the configuration allows one', () => {
    const plan = planOf()
    expect(stepsOf({ plan, tries: 0 })).not.toContain('furtherTry')
    expect(stepsOf({ plan, tries: 1 })).toContain('furtherTry')
  })

  test.each([
    ['agree', 'consent', 'ready'],
    ['startCamera', 'ready', 'align'],
    ['disagree', 'consent', 'declined'],
    ['leave', 'hold', 'declined'],
    ['anotherWay', 'consent', 'anotherWay'],
    ['takeOtherWay', 'anotherWay', 'declined'],
    ['back', 'anotherWay', 'consent'],
    ['tryAgain', 'furtherTry', 'ready'],
    ['moreTime', 'action1', undefined],
    ['wait', 'passed', undefined],
  ] as const)('%s on %s leads to %s', (event, step, next) => {
    expect(stepAfter(event, step, planOf('Balanced'))).toBe(next)
  })

  const every = stepsOf({ plan: planOf('Advanced'), tries: 2 })
  test.each(every)('shows a screen for %s', (step: StepName) => {
    const plan = planOf('Advanced')
    const previewed = {
      plan,
      tries: 2,
      passedUrl: 'https://shop.example/yes',
      failedUrl: null,
      locale: 'en',
      isPhone: true,
      isDark: false,
      step,
    }
    const { state, context } = situationOf(previewed, 5)
    const named = step.startsWith('action') ? 'action' : step
    expect(state.name).toBe(named)
    expect(context.plan).toBe(plan)
    if (state.name === 'action')
      expect([state.step.step, context.accepted + 1]).toEqual(Array(2).fill(Number(step.at(-1))))
    if (state.name === 'passed') expect(state.redirectUrl).toBe('https://shop.example/yes')
    if (state.name === 'furtherTry') expect(context.furtherTry).toEqual({ attemptsLeft: 2, tip: null })
  })
})
