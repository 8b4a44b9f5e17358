import { describe, expect, test } from 'vitest'
import { beginning } from '#web/capture/machine/machine.ts'
import type { KioskAnswer, VisitOutcome } from '#web/kiosk/core/kiosk.ts'
import { endingOf } from '#web/kiosk/flow/ending.ts'
import { exhibits } from '#web/preview/preview-exhibits.ts'

const kept = (result: KioskAnswer['result']): VisitOutcome => ({
  kind: 'kept',
  answer: { result, expression: 'happy' },
})
const endingOn = (screen: string, outcome: VisitOutcome | null) =>
  endingOf(outcome, { ...beginning, state: exhibits[screen]!.state })

describe('a visit', () => {
  test.each([
    ['passed', 'Pass', 'passed', 'happy'],
    ['passed', 'Pending', 'later', null],
    ['not-completed', 'Fail', 'staff', null],
  ] as const)('on %s that is stored as %s ends with: %s', (screen, result, answer, expression) =>
    expect(endingOn(screen, kept(result))).toEqual({ answer, expression }),
  )

  test('that is stored is not over before the screen of its verdict', () =>
    expect(endingOn('sending', kept('Pass'))).toBeUndefined())

  test.each(['declined', 'time-over', 'moved', 'link-unreachable'])('ends on %s with nothing', (screen) =>
    expect(endingOn(screen, null)).toEqual({ answer: 'nothing', expression: null }),
  )

  test.each(['consent', 'action-smile', 'sending', 'camera-away', 'help'])('goes on on %s', (screen) =>
    expect(endingOn(screen, null)).toBeUndefined(),
  )

  test('that could not be stored reports it at once, and never that all is done', () => {
    for (const cause of ['full', 'noPlans', 'broken'] as const)
      expect(endingOn('sending', { kind: 'notKept', cause })).toEqual({ answer: 'notKept', expression: null })
  })
})
