import { describe, expect, test } from 'vitest'
import { advance, beginning } from '#web/capture/machine/machine.ts'
import type { Effect, Event, Situation } from '#web/capture/machine/state.ts'

const plan = {
  verifiers: { liveness: true, age: false, gender: false, faceRecognition: false, emotion: false },
  challenge: null,
  evidence: null,
  locale: null,
  theme: { accountName: 'Northwind', accentColour: null, logo: null, region: 'EU' },
  embedOrigins: [],
}
const opened = (more: object = {}): Event =>
  ({
    type: 'opened',
    plan,
    progress: { kind: 'fresh' },
    consented: false,
    accepted: 0,
    framesSent: 0,
    expiresAt: null,
    ...more,
  }) as Event

function play(events: readonly Event[], from: Situation = beginning) {
  let situation = from
  let effects: readonly Effect[] = []
  for (const event of events) ({ situation, effects } = advance(situation, event))
  return { situation, effects }
}
const stateAfter = (...events: Event[]) => play(events).situation.state

const asked = [opened({ asksPasskey: true }), { type: 'agree' }] as const satisfies Event[]
const use: Event = { type: 'usePasskey' }
const without: Event = { type: 'withoutPasskey' }
const done = (worked: boolean): Event => ({ type: 'passkeyDone', worked })

describe('a requested passkey', () => {
  test('comes after the consent and before the camera', () => {
    expect(stateAfter(asked[0])).toEqual({ name: 'consent' })
    expect(stateAfter(...asked)).toEqual({ name: 'passkeyAsked', phase: 'waiting' })
    expect(play([...asked, use])).toMatchObject({
      situation: { state: { name: 'passkeyAsked', phase: 'busy' } },
      effects: [{ type: 'passkey', ceremony: 'verify' }],
    })
    expect(stateAfter(...asked, use, done(true))).toEqual({ name: 'ready' })
  })

  test('never blocks the visit', () => {
    expect(stateAfter(...asked, without)).toEqual({ name: 'ready' })
    expect(stateAfter(...asked, use, without)).toEqual({ name: 'ready' })
    expect(stateAfter(...asked, use, done(false))).toEqual({ name: 'passkeyAsked', phase: 'unused' })
    expect(stateAfter(...asked, use, done(false), use)).toMatchObject({ phase: 'busy' })
    expect(stateAfter(...asked, use, done(false), without)).toEqual({ name: 'ready' })
  })

  test('is requested once at a time', () => {
    expect(play([...asked, use, use]).effects).toEqual([])
  })

  test.each([
    ['nowhere', {}, 'ready'],
    ['after a reload before the first picture', { asksPasskey: true, consented: true }, 'passkeyAsked'],
    [
      'is not requested after a reload in the middle',
      { asksPasskey: true, consented: true, progress: { kind: 'closing', lastStep: 1 } },
      'ready',
    ],
  ] as const)('%s', (_, more, name) => {
    expect(stateAfter(opened(more), { type: 'agree' }).name).toBe(name)
  })

  test('may be skipped, and expires with the session', () => {
    expect(stateAfter(...asked, { type: 'leave' }).name).toBe('declined')
    expect(stateAfter(...asked, { type: 'deadlineOver' }).name).toBe('timeOver')
  })

  test('is ignored if it arrives after the person went on', () => {
    expect(stateAfter(...asked, use, without, done(false))).toEqual({ name: 'ready' })
  })
})

describe('an offered passkey', () => {
  const sending: Situation = {
    ...beginning,
    state: { name: 'sending', phase: 'checking', share: 1, late: false, outcome: null, settled: true },
  }
  const redirectUrl = 'https://shop.example/in'
  const verdict = (more: object = {}): Event => ({ type: 'verdict', passed: true, redirectUrl, ...more })
  const offered = verdict({ offersPasskey: true })
  const told = (...events: Event[]) => play(events, sending)

  test('comes before the end of the visit', () => {
    expect(told(offered).situation.state).toMatchObject({ name: 'passkeyOffered', phase: 'waiting' })
    expect(told(offered, use).effects).toEqual([{ type: 'passkey', ceremony: 'bind' }])
    expect(told(offered, use, done(true)).situation.state).toMatchObject({ name: 'passed', redirectUrl })
  })

  test('is skipped at will, or if there is none', () => {
    expect(told(offered, without).situation.state).toMatchObject({ name: 'passed', redirectUrl })
    expect(told(offered, use, done(false)).situation.state).toMatchObject({ phase: 'unused' })
    expect(told(offered, use, done(false), without).situation.state.name).toBe('passed')
    expect(told(verdict()).situation.state.name).toBe('passed')
  })

  test('is offered as well if the verdict came after a lost network', () => {
    const offline: Situation = { ...beginning, state: { name: 'offline', awaiting: 'session' } }
    expect(play([offered], offline).situation.state.name).toBe('passkeyOffered')
  })

  test.each<Event>([{ type: 'deadlineOver' }, { type: 'expired' }, { type: 'hidden' }, { type: 'leave' }])(
    'does not change the verdict after %j',
    (event) => {
      expect(told(offered, event, without).situation.state.name).toBe('passed')
    },
  )
})
