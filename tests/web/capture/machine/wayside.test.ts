import { expect, test } from 'vitest'
import { advance, beginning } from '#web/capture/machine/machine.ts'
import type { Event, Situation } from '#web/capture/machine/state.ts'
import { plan } from '../../support/plan.ts'

const progress = { kind: 'fresh' } as const
const opened = (test?: { outcome: null }): Event => ({
  type: 'opened',
  plan: { ...plan, ...(test && { test }) },
  progress,
  consented: false,
  accepted: 0,
  framesSent: 0,
  expiresAt: null,
})
const endTest: Event = { type: 'endTest', result: 'noFace' }

function after(situation: Situation, ...events: readonly Event[]) {
  return events.reduce((at, event) => advance(at.situation, event), { situation, effects: [] } as ReturnType<
    typeof advance
  >)
}

test('a test ends with the chosen outcome, from any screen before its end', () => {
  const ended = after(beginning, opened({ outcome: null }), endTest)
  expect(ended.situation.state.name).toBe('sending')
  expect(ended.effects).toContainEqual({
    type: 'submitSession',
    closing: { kind: 'test', result: 'noFace' },
  })
  expect(after(ended.situation, endTest).effects).toEqual([])
})

test('a real session does not end this way', () => {
  const at = after(beginning, opened())
  expect(after(at.situation, endTest)).toMatchObject({ situation: at.situation, effects: [] })
})

test('a submission in the wrong state of the session makes the page ask, and does not report a lost network', () => {
  const at = after(beginning, opened(), { type: 'agree' }, { type: 'startCamera' })
  const { situation, effects } = after(at.situation, { type: 'outOfStep' })
  expect(situation.state).toEqual({ name: 'opening', slow: false })
  expect(effects.map(({ type }) => type)).toEqual(['closeCamera', 'dropSubmission', 'open', 'wait'])
})
