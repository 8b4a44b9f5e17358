import { describe, expect, test } from 'vitest'
import { handoffOf } from '#web/capture/flow/handoff.ts'
import type { Handoff } from '#web/capture/machine/handoff-place.ts'
import { advance, beginning } from '#web/capture/machine/machine.ts'
import type { Effect, Event, Situation } from '#web/capture/machine/state.ts'
import { plan } from '../../support/plan.ts'

const open = (handoff?: Handoff, more = {}): Event => ({
  type: 'opened',
  plan,
  progress: { kind: 'fresh' },
  consented: false,
  accepted: 0,
  framesSent: 0,
  expiresAt: null,
  ...(handoff && { handoff }),
  ...more,
})
const at = (place: Handoff['place'], phase: Handoff['phase'] = 'taken'): Handoff => ({
  place,
  number: place === 'own' ? null : '42',
  phase,
  actionsDone: 0,
})
const followed = (handoff: Handoff): Event => ({ type: 'followed', handoff })
const code = { code: 'K7M4P-9QXDT', url: 'https://check.example/handoff#K7M4P9QXDT', expiresAt: 180_000 }
const made: Event = { type: 'codeMade', code, lifetime: 180_000 }
const usePhone: Event = { type: 'usePhone' }
const redirectUrl = 'https://a.example/'
const embeddedRefusal: Event = { type: 'cameraRefused', cause: 'embedded' }

function play(...events: Event[]): { situation: Situation; effects: readonly Effect[] } {
  let situation = beginning
  let effects: readonly Effect[] = []
  for (const event of events) ({ situation, effects } = advance(situation, event))
  return { situation, effects }
}
const stateAfter = (...events: Event[]) => play(...events).situation.state
const typesAfter = (...events: Event[]) => play(...events).effects.map(({ type }) => type)

const showing: Event[] = [open(), usePhone, made]
const following: Event[] = [...showing, followed(at('follows'))]

describe('a screen that shows the code', () => {
  const refused: Event = { type: 'cameraRefused', cause: 'noCamera' }
  test.each<[string, Event[]]>([
    ['consent', [open()]],
    ['the start of the camera', [open(), { type: 'agree' }]],
    ['a camera that is missing', [open(), { type: 'agree' }, { type: 'startCamera' }, refused]],
  ])('is reached from %s', (_from, events) => {
    expect(stateAfter(...events, usePhone)).toEqual({ name: 'handoff', trouble: false })
    expect(typesAfter(...events, usePhone)).toEqual(['closeCamera', 'makeCode', 'follow'])
  })

  test.each<[string, Event]>([
    ['pictures were sent', open(undefined, { framesSent: 4 })],
    ['an action is asked', open(undefined, { progress: { kind: 'closing', lastStep: 1 } })],
    ['the session was taken over itself', open(at('guest'), { consented: true })],
  ])('is not reached if %s', (_why, event) => {
    const before = stateAfter(event, { type: 'agree' })
    expect(stateAfter(event, { type: 'agree' }, usePhone)).toEqual(before)
  })

  test('renews the code when it runs out', () => {
    const waits = { type: 'wait', milliseconds: 180_000, event: { type: 'late' } }
    expect(play(...showing).effects).toEqual([waits])
    expect(typesAfter(...showing, { type: 'late' })).toEqual(['makeCode'])
  })

  test('reports that no code can be created, and tries again', () => {
    const refusedCode: Event[] = [open(), usePhone, { type: 'codeRefused' }]
    expect(stateAfter(...refusedCode)).toEqual({ name: 'handoff', trouble: true })
    expect(typesAfter(...refusedCode, { type: 'tryAgain' })).toEqual(['makeCode'])
  })

  test('returns to the previous screen, and invalidates the code', () => {
    expect(stateAfter(...showing, { type: 'back' })).toEqual({ name: 'consent' })
    expect(stateAfter(open(), { type: 'agree' }, usePhone, { type: 'back' })).toEqual({ name: 'ready' })
    expect(typesAfter(...showing, { type: 'back' })).toEqual(['cancelHandoff'])
    expect(play(...showing, { type: 'back' }).situation.context.code).toBeNull()
  })

  test('ignores a code that arrives after the person went back', () => {
    expect(play(open(), usePhone, { type: 'back' }, made).situation.context.code).toBeNull()
  })

  test('stays until the code is used', () => {
    expect(stateAfter(...showing, followed(at('own')))).toMatchObject({ name: 'handoff' })
  })
})

describe('a screen that follows', () => {
  test('shows what the other device does', () => {
    expect(stateAfter(...following)).toEqual({ name: 'following', handoff: at('follows') })
    const acting = { ...at('follows', 'acting'), actionsDone: 1 }
    expect(stateAfter(...following, followed(acting))).toEqual({ name: 'following', handoff: acting })
  })

  test.each([
    [true, 'passed'],
    [false, 'notCompleted'],
  ])('ends as it would have on this device: passed %s', (passed, name) => {
    const over: Event[] = [...following, { type: 'verdict', passed, redirectUrl }]
    expect(stateAfter(...over)).toEqual({ name, redirectUrl, staying: false })
    expect(play(...over, { type: 'late' }).effects).toEqual([{ type: 'leave', redirectUrl }])
  })

  test.each<[string, Event[]]>([
    ['the code', showing],
    ['a frame without a camera', [open(), { type: 'agree' }, { type: 'startCamera' }, embeddedRefusal]],
  ])('learns the end from %s, too, if all of it happened between two polls', (_where, events) => {
    const over: Event = { type: 'verdict', passed: false, redirectUrl }
    expect(stateAfter(...events, over)).toMatchObject({ name: 'notCompleted', redirectUrl })
  })

  test('continues after a reload', () => {
    const { situation, effects } = play(open(at('follows')))
    expect(situation.state.name).toBe('following')
    expect(situation.context.plan).toEqual(plan)
    expect(effects.map(({ type }) => type)).toContain('follow')
  })

  test('takes the check back only as long as nothing was sent', () => {
    expect(stateAfter(...following, { type: 'back' })).toEqual({ name: 'consent' })
    expect(typesAfter(...following, { type: 'back' })).toEqual(['cancelHandoff'])
    expect(stateAfter(...following, usePhone)).toMatchObject({ name: 'handoff' })
    expect(typesAfter(...following, usePhone)).toEqual(['cancelHandoff', 'closeCamera', 'makeCode', 'follow'])
    const begun = [...following, followed(at('follows', 'acting'))]
    expect(stateAfter(...begun, { type: 'back' })).toMatchObject({ name: 'following' })
    expect(stateAfter(...begun, usePhone)).toMatchObject({ name: 'following' })
  })

  test('shows a new code when the other device gives the check back', () => {
    expect(stateAfter(...following, followed(at('own')))).toEqual({ name: 'handoff', trouble: false })
    expect(typesAfter(...following, followed(at('own')))).toContain('makeCode')
  })

  test('ends the check when the person leaves: takes it back, then informs the server', () => {
    const begun = [...following, followed(at('follows', 'acting'))]
    expect(stateAfter(...begun, { type: 'leave' })).toMatchObject({ name: 'declined', sent: true })
    expect(typesAfter(...begun, { type: 'leave' })).toEqual(['cancelHandoff', 'closeCamera', 'submitSession'])
  })

  test('ends with the session’s time, but not during the judgement', () => {
    const over: Event = { type: 'deadlineOver' }
    expect(stateAfter(...following, over)).toMatchObject({ name: 'timeOver' })
    const checking = [...following, followed(at('follows', 'checking'))]
    expect(stateAfter(...checking, over)).toMatchObject({ name: 'following' })
  })
})

describe('a device that took the session over', () => {
  const taken = open(at('guest'))
  test('asks first whether the other screen shows the same number', () => {
    expect(stateAfter(taken)).toEqual({ name: 'numberCheck', number: '42' })
    expect(stateAfter(taken, { type: 'sameNumber' })).toEqual({ name: 'consent' })
  })

  test('gives the session back if it does not', () => {
    expect(stateAfter(taken, { type: 'otherNumber' })).toEqual({ name: 'moved', refused: true })
    expect(typesAfter(taken, { type: 'otherNumber' })).toEqual(['cancelHandoff'])
  })

  test('does not ask again once the person agreed', () => {
    expect(stateAfter(open(at('guest'), { consented: true }))).toEqual({ name: 'ready' })
  })

  test('leads nowhere', () => {
    const { situation } = play(taken, { type: 'sameNumber' }, { type: 'disagree' }, { type: 'depart' })
    const told = advance(situation, { type: 'leftServer', redirectUrl: null })
    expect(told.effects).toEqual([])
    expect(told.situation.context.isGuest).toBe(true)
  })

  test('reports that the session was taken from it, and turns the camera off', () => {
    const lost: Event = { type: 'elsewhere', handoff: null }
    expect(stateAfter(taken, { type: 'sameNumber' }, lost)).toEqual({ name: 'moved', refused: false })
    expect(typesAfter(taken, lost)).toEqual(['closeCamera', 'dropSubmission'])
  })
})

describe('the page for a code', () => {
  const wanted = (wrong: boolean): Event => ({ type: 'codeWanted', wrong })
  test('asks for one, accepts the input, and reports an invalid one', () => {
    expect(stateAfter(wanted(false))).toEqual({ name: 'codeEntry', busy: false, wrong: false })
    const typed: Event = { type: 'codeTyped', code: 'k7m4p 9qxdt' }
    expect(play(wanted(false), typed).effects).toEqual([{ type: 'takeCode', code: 'k7m4p 9qxdt' }])
    expect(stateAfter(wanted(false), typed, wanted(true))).toEqual({
      name: 'codeEntry',
      busy: false,
      wrong: true,
    })
    expect(stateAfter(wanted(false), typed, open(at('guest')))).toMatchObject({ name: 'numberCheck' })
  })
})

describe('a frame that may not use the camera', () => {
  const embedded: Event[] = [open(), { type: 'agree' }, { type: 'startCamera' }, embeddedRefusal]
  test('has a code ready for a separate tab, renews it, and follows that', () => {
    expect(typesAfter(...embedded)).toEqual(['makeCode', 'follow'])
    expect(play(...embedded, made).situation.context.code).toEqual(code)
    expect(typesAfter(...embedded, made, { type: 'late' })).toEqual(['makeCode'])
    expect(stateAfter(...embedded, made, followed(at('follows')))).toMatchObject({ name: 'following' })
  })
})

describe('the device that holds a session', () => {
  test.each([
    [null, 'own'],
    [{ isHeldHere: true, number: '42', actionsDone: 0 }, 'guest'],
    [{ isHeldHere: true, number: null, actionsDone: 0 }, 'own'],
    [{ isHeldHere: false, number: '42', actionsDone: 0 }, 'follows'],
    [{ isHeldHere: false, number: null, actionsDone: 0 }, undefined],
  ])('reported as %j: %s', (handoff, place) => {
    expect(handoffOf({ handoff, state: 'Created' })?.place).toBe(place)
  })

  test.each([
    ['Created', 'taken'],
    ['Started', 'acting'],
    ['Submitted', 'checking'],
  ] as const)('%s is %s', (state, phase) => {
    const handoff = { isHeldHere: false, number: '42', actionsDone: 0 }
    expect(handoffOf({ handoff, state })?.phase).toBe(phase)
  })
})

test('a code may be typed once the network is back', () => {
  const unreachable: Event = { type: 'notOpened', problem: 'unreachable' }
  const codeWanted: Event = { type: 'codeWanted', wrong: false }
  expect(stateAfter(unreachable, codeWanted)).toEqual({ name: 'codeEntry', busy: false, wrong: false })
})
