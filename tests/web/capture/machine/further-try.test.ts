import { describe, expect, test } from 'vitest'
import { advance, beginning } from '#web/capture/machine/machine.ts'
import type { Effect, Event, Situation } from '#web/capture/machine/state.ts'
import type { ClosingReason } from '#web/capture/machine/submissions.ts'
import { plan } from '../../support/plan.ts'

const alternative = { url: 'https://a.example/other', text: null }
const opened = (more: object = {}): Event =>
  ({
    type: 'opened',
    plan: { ...plan, challenge: null, alternative },
    progress: { kind: 'fresh' },
    consented: true,
    accepted: 0,
    framesSent: 0,
    expiresAt: null,
    ...more,
  }) as Event
const frames = [{ bytes: new Uint8Array(), time: 1 }]
const staged = (stage: 'align' | 'hold'): Event => ({ type: 'staged', stage, frames, fault: null })
const toCamera: Event[] = [{ type: 'cameraOpened' }, { type: 'analysisReady' }, { type: 'cameraReady' }]
const toSending: Event[] = [...toCamera, staged('align'), staged('hold')]
const failed = (attemptsLeft: number, tip: 'light' | null = null): Event => ({
  type: 'verdict',
  passed: false,
  redirectUrl: null,
  furtherTry: { attemptsLeft, tip },
})
const redirectUrl = 'https://a.example/failed'
const left: Event = { type: 'verdict', passed: false, redirectUrl, isLeft: true }

function play(...events: Event[]): { situation: Situation; effects: readonly Effect[] } {
  let situation = beginning
  let effects: readonly Effect[] = []
  for (const event of events) ({ situation, effects } = advance(situation, event))
  return { situation, effects }
}
const start: Event[] = [opened(), { type: 'startCamera' }]
const offered: Event[] = [...start, ...toSending, failed(2)]
const closingsOf = (effects: readonly Effect[]): ClosingReason[] =>
  effects.flatMap((effect) => (effect.type === 'submitSession' ? [effect.closing] : []))

describe('a further try', () => {
  test('is offered as soon as the server says so', () => {
    expect(play(...offered).situation.state).toEqual({ name: 'furtherTry' })
  })

  test('begins without anything of the previous one', () => {
    const { situation, effects } = play(...offered)
    expect(situation.context).toMatchObject({
      attempt: 2,
      furtherTry: { attemptsLeft: 2, tip: null },
      progress: { kind: 'fresh' },
      accepted: 0,
      framesSent: 0,
      retakes: 0,
      reopened: false,
    })
    expect(effects).toEqual([])
  })

  test('requests the camera at once, and ends as the first did', () => {
    const { situation, effects } = play(...offered, { type: 'tryAgain' })
    expect(situation.state.name).toBe('asking')
    expect(effects.map(({ type }) => type)).toContain('openCamera')
    const third = play(...offered, { type: 'tryAgain' }, ...toSending, failed(1))
    expect(third.situation.context).toMatchObject({ attempt: 3, furtherTry: { attemptsLeft: 1 } })
  })

  test('loads again what failed to load', () => {
    const broken: Event = { type: 'analysisBroken', cause: 'notLoaded' }
    const { situation, effects } = play(...offered, broken, { type: 'tryAgain' })
    expect(situation.context.analysis).toBe('loading')
    expect(effects.map(({ type }) => type)).toEqual(['prepare', 'openCamera', 'wait'])
  })

  test('shows the device’s observation, otherwise that the time of a step ran out, otherwise nothing', () => {
    const next = { step: 1, action: 'turnLeft' as const, timeLimitInSeconds: 10 }
    const answer: Event = { type: 'stepAnswered', next, accepted: true, request: false, dropped: 0, at: 0 }
    const acting: Event[] = [opened({ plan }), { type: 'startCamera' }, ...toSending, answer]
    const tipOf = (...events: Event[]) => play(...events).situation.context.furtherTry?.tip
    expect(tipOf(...offered.slice(0, -1), failed(2, 'light'))).toBe('light')
    const slow: Event[] = [...acting, { type: 'timeUp' }]
    expect(play(...slow).situation.context.ranOut).toBe(true)
    const rest: Event[] = [
      { type: 'continue' },
      { ...answer, next: null } as Event,
      { type: 'staged', stage: 'closing', frames, fault: null },
    ]
    expect(tipOf(...slow, ...rest, failed(2))).toBe('steps')
    expect(tipOf(...slow, ...rest, failed(2, 'light'))).toBe('light')
    expect(play(...slow, ...rest, failed(2)).situation.context.ranOut).toBe(false)
  })

  test('waits for the person, but not longer than the session', () => {
    expect(play(...offered, { type: 'late' }).situation.state.name).toBe('furtherTry')
    expect(play(...offered, { type: 'deadlineNear' }).situation.context.nearDeadline).toBe(true)
    expect(play(...offered, { type: 'deadlineOver' }).situation.state.name).toBe('timeOver')
  })

  test('stays on its device', () => {
    expect(play(...offered, { type: 'anotherWay' }, { type: 'usePhone' }).effects).toEqual([])
    const blocked: Event[] = [{ type: 'tryAgain' }, { type: 'cameraRefused', cause: 'noCamera' }]
    const { situation } = play(...offered, ...blocked, { type: 'usePhone' })
    expect(situation.state).toEqual({ name: 'cameraProblem', cause: 'noCamera' })
  })

  test('is restored by a reloaded page, unless pictures of it were sent', () => {
    const furtherTry = { attemptsLeft: 1, tip: null }
    const reloaded = play(opened({ attempt: 3, furtherTry })).situation
    expect(reloaded.state).toEqual({ name: 'furtherTry' })
    expect(reloaded.context).toMatchObject({ attempt: 3, furtherTry })
    const step = { step: 1, action: 'turnLeft', timeLimitInSeconds: 10 }
    const under = play(opened({ attempt: 3, furtherTry, progress: { kind: 'step', step } })).situation
    expect(under.state).toEqual({ name: 'ready' })
    expect(under.context.attempt).toBe(3)
    const stranger = play(opened({ consented: false, attempt: 3, furtherTry })).situation
    expect(stranger.state).toEqual({ name: 'consent' })
  })
})

describe('leaving after a try', () => {
  test.each<[string, Event[]]>([
    ['from its offer', []],
    ['before the camera', [{ type: 'tryAgain' }]],
    ['with the camera on', [{ type: 'tryAgain' }, ...toCamera]],
    ['without a camera', [{ type: 'tryAgain' }, { type: 'cameraRefused', cause: 'noCamera' }]],
    ['from the other way', [{ type: 'anotherWay' }]],
  ])('%s keeps its verdict', (_where, events) => {
    const { situation, effects } = play(...offered, ...events, { type: 'leave' })
    expect(closingsOf(effects)).toEqual([{ kind: 'left' }])
    expect(effects[0]).toEqual({ type: 'closeCamera' })
    expect(situation.state).toMatchObject({ name: 'sending', phase: 'leaving' })
    const gone = play(...offered, ...events, { type: 'leave' }, left)
    expect(gone.situation.state.name).toBe('notCompleted')
    expect(gone.effects).toEqual([{ type: 'leave', redirectUrl }])
  })

  test('works without a network', () => {
    const offline: Event[] = [{ type: 'tryAgain' }, ...toSending, { type: 'unsent' }]
    const { effects } = play(...offered, ...offline, { type: 'deleteAndLeave' })
    expect(closingsOf(effects)).toEqual([{ kind: 'left' }])
  })

  test('is shown as such while it is sent, whatever the upload does', () => {
    const uploaded: Event = { type: 'uploaded', share: 0.2 }
    expect(play(...offered, { type: 'leave' }, uploaded).situation.state).toMatchObject({ phase: 'leaving' })
  })

  test('stays where nothing leads on', () => {
    const { situation, effects } = play(...offered, { type: 'leave' }, {
      ...left,
      redirectUrl: null,
    } as Event)
    expect(situation.state.name).toBe('notCompleted')
    expect(effects.map(({ type }) => type)).toEqual(['wait'])
  })

  test('works as usual before any try was judged', () => {
    expect(closingsOf(play(...start, ...toCamera, { type: 'leave' }).effects)).toEqual([{ kind: 'declined' }])
  })
})

describe('another way', () => {
  const take: Event[] = [{ type: 'anotherWay' }, { type: 'takeOtherWay' }]

  test.each<[string, Event[]]>([
    ['the consent', [opened({ consented: false })]],
    ['the offer of a further try', offered],
  ])('is taken from %s, and opened once it is recorded', (_where, events) => {
    const { situation, effects } = play(...events, ...take)
    expect(closingsOf(effects)).toEqual([{ kind: 'otherWay' }])
    expect(situation.state).toMatchObject({ name: 'declined', kind: 'otherWay', leaving: true })
    const told: Event = { type: 'leftServer', redirectUrl: alternative.url }
    expect(play(...events, ...take, told).effects).toEqual([{ type: 'leave', redirectUrl: alternative.url }])
  })

  test('is sent again if it failed', () => {
    const again = play(...offered, ...take, { type: 'unsent' }, { type: 'depart' })
    expect(closingsOf(again.effects)).toEqual([{ kind: 'otherWay' }])
  })

  test('returns to the screen where it was requested', () => {
    const back: Event[] = [{ type: 'anotherWay' }, { type: 'back' }]
    expect(play(...offered, ...back).situation.state).toEqual({ name: 'furtherTry' })
    expect(play(opened({ consented: false }), ...back).situation.state).toEqual({ name: 'consent' })
  })

  test('is not available if the account offers none', () => {
    const without = opened({ consented: false, plan })
    expect(play(without, ...take).situation.state.name).toBe('anotherWay')
  })
})
