import { describe, expect, test } from 'vitest'
import { advance, beginning } from '#web/capture/machine/machine.ts'
import type { Effect, Event, Situation, State, StateName } from '#web/capture/machine/state.ts'
import { plan } from '../../support/plan.ts'

const opened: Event = {
  type: 'opened',
  plan,
  progress: { kind: 'fresh' },
  consented: false,
  accepted: 0,
  framesSent: 0,
  expiresAt: null,
}
const frames = [{ bytes: new Uint8Array(), time: 1 }]
const next = { step: 1, action: 'turnLeft' as const, timeLimitInSeconds: 10 }
const staged = (
  stage: 'align' | 'hold' | 'action' | 'halfway' | 'closing' | 'present' | 'snapshot',
): Event => ({
  type: 'staged',
  stage,
  frames,
  fault: null,
})
/** The action is done and the person has returned from it. */
const acted: Event[] = [staged('action'), staged('halfway')]
const answer = (more: Partial<Extract<Event, { type: 'stepAnswered' }>> = {}): Event => ({
  type: 'stepAnswered',
  next,
  accepted: true,
  request: false,
  dropped: 0,
  at: 0,
  ...more,
})

/** Plays events from the beginning. The effects are the last event's. */
function play(...events: Event[]): { situation: Situation; effects: readonly Effect[] } {
  let situation = beginning
  let effects: readonly Effect[] = []
  for (const event of events) ({ situation, effects } = advance(situation, event))
  return { situation, effects }
}
const nameAfter = (...events: Event[]): StateName => play(...events).situation.state.name
const typesOf = (effects: readonly Effect[]) => effects.map(({ type }) => type)
const typesAfter = (...events: Event[]) => typesOf(play(...events).effects)

const toConsent: Event[] = [opened]
const toReady: Event[] = [...toConsent, { type: 'agree' }]
const toCamera: Event[] = [
  ...toReady,
  { type: 'startCamera' },
  { type: 'cameraOpened' },
  { type: 'analysisReady' },
]
const toAlign: Event[] = [...toCamera, { type: 'cameraReady' }]
const toHold: Event[] = [...toAlign, staged('align')]
const toAction: Event[] = [...toHold, staged('hold'), answer()]
const toClosing: Event[] = [...toAction, ...acted, answer({ next: null })]
const toSending: Event[] = [...toClosing, staged('closing')]
const verdict = (passed: boolean): Event => ({ type: 'verdict', passed, redirectUrl: 'https://a.example/' })

describe('a step over a slow network', () => {
  const asked = (more: Parameters<typeof answer>[0]) => play(...toHold, staged('hold'), answer(more))
  const timeUpIn = ({ effects }: ReturnType<typeof play>) =>
    effects.flatMap((effect) =>
      effect.type === 'wait' && effect.event.type === 'timeUp' ? effect.milliseconds : [],
    )

  test('is shown as ever where answer and pictures travel quickly', () => {
    expect(timeUpIn(asked({ at: 100_000 }))).toEqual([9000])
    expect(timeUpIn(asked({ at: 100_000, lateMilliseconds: 900, handInMilliseconds: 2500 }))).toEqual([7600])
  })

  test.each([
    ['its answer was late', { lateMilliseconds: 5000 }],
    ['its pictures will be on their way for long', { handInMilliseconds: 9000 }],
  ])('is given more time before it is shown where %s', (_why, travel) => {
    expect(asked(travel).effects).toContainEqual(expect.objectContaining({ request: 'moreTime' }))
    const again = answer({ ...travel, request: true, next: { ...next, timeLimitInSeconds: 20 } })
    expect(nameAfter(...toHold, staged('hold'), answer(travel), again)).toBe('action')
  })

  test('that will not suffice is told before the person acts, and may be tried again', () => {
    const travel = { handInMilliseconds: 30_000 }
    const again = answer({ ...travel, request: true, next: { ...next, timeLimitInSeconds: 20 } })
    const events = [...toHold, staged('hold'), answer(travel), again]
    expect(play(...events).situation.state).toEqual({ name: 'cameraProblem', cause: 'slowNetwork' })
    expect(nameAfter(...events, { type: 'tryAgain' })).toBe('asking')
  })

  test('is shown with what is left of it where no more time is to be had', () => {
    const last = answer({ request: true, accepted: false, next: { ...next, timeLimitInSeconds: 4 } })
    expect(nameAfter(...toHold, staged('hold'), answer({ lateMilliseconds: 5000 }), last)).toBe('action')
  })
})

describe('a camera without a picture', () => {
  const useless: Event = { type: 'cameraUseless', cause: 'noPicture' }

  test.each([
    ['next', {}],
    [{ id: 'b' }, { id: 'b' }],
  ] as const)('leads to another one: %j', (choice, which) => {
    const { effects } = play(...toAlign, useless, { type: 'otherCamera', ...which })
    expect(effects).toContainEqual({ type: 'openCamera', choice })
  })

  test('that does not start leads to another one, or may be tried again', () => {
    const slow: Event[] = [...toCamera, { type: 'late' }]
    expect(typesAfter(...slow, { type: 'otherCamera' })).toContain('openCamera')
    expect(nameAfter(...slow, { type: 'cameraReady' })).toBe('align')
    const unanswered: Event[] = [...toReady, { type: 'startCamera' }, { type: 'late' }]
    expect(typesAfter(...unanswered, { type: 'tryAgain' })).toContain('openCamera')
  })
})

describe('a link that was only read', () => {
  const read: Event = { ...opened, isBegun: false }

  test.each(['agree', 'usePhone'] as const)('is opened by %s, which then goes on', (type) => {
    const before = play(read, { type })
    expect(before.situation.state.name).toBe('opening')
    expect(before.effects[0]).toEqual({ type: 'open' })
    const after = play(read, { type }, opened)
    const begun = play(opened, { type })
    expect(after.situation).toEqual({
      ...begun.situation,
      context: { ...begun.situation.context, act: null },
    })
    expect(after.effects.map(({ type: effect }) => effect)).toEqual(['remember', ...typesOf(begun.effects)])
  })

  test('is opened once: what is agreed to after a handover that came to nothing opens nothing', () => {
    expect(typesAfter(read, { type: 'usePhone' }, opened, { type: 'back' }, { type: 'agree' })).toEqual([
      'remember',
    ])
  })

  test('is opened again by itself where the network was gone, and the act goes on', () => {
    const gone: Event = { type: 'notOpened', problem: 'unreachable' }
    expect(typesAfter(read, { type: 'agree' }, gone, { type: 'online' })).toEqual(['open'])
    expect(nameAfter(read, { type: 'agree' }, gone, { type: 'online' }, opened)).toBe('ready')
  })

  test('that somebody else used meanwhile says so', () => {
    const { state } = play(read, { type: 'agree' }, { type: 'notOpened', problem: 'gone' }).situation
    expect(state).toMatchObject({ name: 'linkProblem', problem: 'gone' })
  })

  test('asks again whose session it is, where it turns out to be on another device', () => {
    const handoff = { place: 'follows', number: '12', phase: 'acting', actionsDone: 0 } as const
    expect(nameAfter(read, { type: 'agree' }, { ...opened, handoff })).toBe('following')
  })

  test.each(['disagree', 'leave'] as const)('is used up by %s, which waits for nothing', (type) => {
    expect(nameAfter(read, { type })).toBe('declined')
    expect(typesAfter(read, { type })).toEqual(['closeCamera', 'begin'])
    expect(typesAfter(opened, { type })).toEqual(['closeCamera'])
  })
})

describe('a retake', () => {
  const spoiled: Event = { type: 'staged', stage: 'closing', frames, fault: 'dark' }
  const again: Event[] = [spoiled, { type: 'takeAgain' }]

  test('comes before anything is sent, with the camera on, and gives the reason', () => {
    const { situation, effects } = play(...toClosing, spoiled)
    expect(situation.state).toEqual({ name: 'retake', fault: 'dark' })
    expect(effects.map(({ type }) => type)).toEqual(['track'])
    expect(nameAfter(...toClosing, ...again)).toBe('closing')
  })

  test('is requested twice; then the pictures are sent as they are', () => {
    expect(nameAfter(...toClosing, ...again, spoiled)).toBe('retake')
    expect(nameAfter(...toClosing, ...again, ...again, spoiled)).toBe('sending')
  })

  test('never follows good pictures', () => {
    expect(nameAfter(...toClosing, ...again, staged('closing'))).toBe('sending')
  })

  test('ends with the session, like every state, and with the camera', () => {
    expect(nameAfter(...toClosing, spoiled, { type: 'deadlineOver' })).toBe('timeOver')
    expect(nameAfter(...toClosing, spoiled, { type: 'hidden' })).toBe('cameraProblem')
    expect(typesAfter(...toClosing, spoiled, { type: 'leave' })).toContain('closeCamera')
  })
})

describe('the way through', () => {
  test.each<[StateName, Event[]]>([
    ['opening', []],
    ['consent', toConsent],
    ['ready', toReady],
    ['starting', toCamera],
    ['align', toAlign],
    ['hold', toHold],
    ['done', [...toHold, staged('hold')]],
    ['action', toAction],
    ['closing', toClosing],
    ['sending', toSending],
    ['passed', [...toSending, verdict(true)]],
    ['notCompleted', [...toSending, verdict(false)]],
  ])('%s', (name, events) => expect(nameAfter(...events)).toBe(name))

  test('requests the camera only when it is started', () => {
    expect(typesAfter(...toReady)).not.toContain('openCamera')
    expect(typesAfter(...toReady, { type: 'startCamera' })).toContain('openCamera')
  })

  test('turns the camera off before anything is sent', () => {
    const types = typesAfter(...toSending)
    expect(types.indexOf('closeCamera')).toBeLessThan(types.indexOf('submitSession'))
    expect(types).toContain('closeCamera')
  })

  test('sends at once if there is no challenge', () => {
    const bare: Event = { ...opened, plan: { ...plan, challenge: null } } as Event
    const events = [bare, ...toHold.slice(1), staged('hold')]
    expect(nameAfter(...events)).toBe('sending')
    expect(play(...events).effects).toContainEqual({
      type: 'submitSession',
      closing: { kind: 'frames', frames, challengeStep: 0 },
    })
  })

  test('closes with the number of the last step', () => {
    expect(play(...toSending).effects).toContainEqual({
      type: 'submitSession',
      closing: { kind: 'frames', frames, challengeStep: 1 },
    })
  })

  test('counts the accepted actions', () => {
    const second = { ...next, step: 2, action: 'lookUp' as const }
    expect(play(...toAction, ...acted, answer({ next: second })).situation.context.accepted).toBe(1)
  })

  test('continues with another action without blame', () => {
    const { state, context } = play(
      ...toAction,
      ...acted,
      answer({ accepted: false, next: { ...next, step: 2 } }),
    ).situation
    expect(state).toMatchObject({ name: 'action', again: true })
    expect(context.accepted).toBe(0)
  })
})

describe('time belongs to the person', () => {
  test.each([{ type: 'timeUp' }, { type: 'moreTime' }] as Event[])('%o pauses', (event) => {
    expect(nameAfter(...toAction, event)).toBe('paused')
    expect(play(...toAction, event, { type: 'continue' }).effects).toContainEqual({
      type: 'submitStep',
      step: 1,
      frames: [],
      request: 'moreTime',
    })
  })

  test('a step’s pictures are on time until its clock is over', () => {
    const asked: Event[] = [...toHold, staged('hold'), answer({ at: 5000 })]
    const until = 5000 + next.timeLimitInSeconds * 1000
    expect(play(...asked, staged('action')).effects).toContainEqual({
      type: 'submitStep',
      step: 1,
      frames,
      until,
    })
  })

  describe('that ran out by itself', () => {
    const paused: Event[] = [...toAction, { type: 'timeUp' }]
    const handedIn: Event[] = [...paused, { type: 'late' }, staged('present')]

    test('is waited for, then a face in view is awaited', () => {
      expect(play(...paused).effects).toContainEqual({
        type: 'wait',
        milliseconds: 5000,
        event: { type: 'late' },
      })
      const late = play(...paused, { type: 'late' })
      expect(late.situation.state.name).toBe('paused')
      expect(late.effects).toEqual([{ type: 'track', stage: { name: 'present' } }])
    })

    test('submits the step as it is once a face is there, and claims no success', () => {
      const { situation, effects } = play(...handedIn)
      expect(situation.state).toEqual({ name: 'done', after: 'request', late: false })
      expect(situation.context.framesSent).toBe(
        play(...toAction).situation.context.framesSent + frames.length,
      )
      expect(effects).toContainEqual({ type: 'submitStep', step: 1, frames })
    })

    test('leaves the page waiting while there is no face', () => {
      expect(nameAfter(...paused, { type: 'late' }, { type: 'late' })).toBe('paused')
    })

    test('may still be continued, or another action requested', () => {
      for (const type of ['continue', 'otherAction'] as const) {
        const request = type === 'continue' ? 'moreTime' : type
        expect(play(...paused, { type: 'late' }, { type }).effects).toContainEqual(
          expect.objectContaining({ type: 'submitStep', frames: [], request }),
        )
      }
    })

    test('is not submitted if the person asked for time', () => {
      const asked: Event[] = [...toAction, { type: 'moreTime' }]
      expect(typesAfter(...asked)).not.toContain('wait')
      expect(typesAfter(...asked, { type: 'late' })).toEqual([])
    })
  })

  test('another action may be requested', () => {
    expect(play(...toAction, { type: 'otherAction' }).effects).toContainEqual({
      type: 'submitStep',
      step: 1,
      frames: [],
      request: 'otherAction',
    })
  })

  test('an answered request does not count as an action', () => {
    const events = [
      ...toAction,
      { type: 'moreTime' },
      { type: 'continue' },
      answer({ request: true }),
    ] as Event[]
    expect(play(...events).situation).toMatchObject({ state: { name: 'action' }, context: { accepted: 0 } })
  })
})

describe('the way back from an action', () => {
  const returning: Event[] = [...toAction, { type: 'acted' }]

  test('is awaited before the step is submitted, on the screen with the instruction', () => {
    const { situation, effects } = play(...returning)
    expect(situation.state).toMatchObject({ name: 'done', after: 'action', late: false })
    expect(effects).toEqual([{ type: 'wait', milliseconds: 8000, event: { type: 'late' } }])
    expect(typesAfter(...returning, staged('action'))).toContain('submitStep')
  })

  test('is not waited for where no picture is missing: the step goes at once, and the head is followed', () => {
    const { situation, effects } = play(...toAction, staged('action'))
    expect(situation.state).toMatchObject({ name: 'done', after: 'action', halfway: { answer: null } })
    expect(effects).toContainEqual({ type: 'track', stage: { name: 'halfway' } })
    expect(effects.map(({ type }) => type)).toContain('submitStep')
  })

  test.each<[string, Event[]]>([
    ['the answer first', [answer({ next: { ...next, step: 2 } }), staged('halfway')]],
    ['the head first', [staged('halfway'), answer({ next: { ...next, step: 2 } })]],
  ])('and the answer are both needed for the next instruction: %s', (_order, [first, second]) => {
    expect(nameAfter(...toAction, staged('action'), first!)).toBe('done')
    expect(nameAfter(...toAction, staged('action'), first!, second!)).toBe('action')
  })

  test('keeps nobody waiting whose pictures stopped, once the server has answered', () => {
    const answered = [...toAction, staged('action'), answer({ next: { ...next, step: 2 } })]
    expect(nameAfter(...answered, { type: 'late' })).toBe('action')
  })

  test('asks the step anew where no picture of it ever comes', () => {
    const request = { type: 'submitStep', step: 1, frames: [], request: 'moreTime' }
    expect(play(...returning, { type: 'late' }).effects).toContainEqual(request)
  })

  test('goes on to wait for the server, and says so when that takes long', () => {
    const submitted = [...returning, staged('action'), staged('halfway')]
    expect(play(...submitted, { type: 'late' }).situation.state).toMatchObject({ name: 'done', late: true })
    expect(nameAfter(...submitted, answer({ next: { ...next, step: 2 } }))).toBe('action')
  })

  test('is left like the capture', () => {
    expect(nameAfter(...returning, { type: 'hidden' })).toBe('cameraProblem')
    expect(typesAfter(...returning, { type: 'leave' })).toContain('closeCamera')
  })
})

describe('the last look', () => {
  test('has no screen of its own until it takes long', () => {
    const { situation, effects } = play(...toClosing)
    expect(situation.state).toEqual({ name: 'closing', asked: false })
    expect(effects).toContainEqual({ type: 'wait', milliseconds: 1500, event: { type: 'late' } })
    expect(play(...toClosing, { type: 'late' }).situation.state).toEqual({ name: 'closing', asked: true })
  })
})

test('pictures that are handed in early count as sent', () => {
  const sent = (...events: Event[]) => play(...events).situation.context.framesSent
  expect(sent(...toHold, { type: 'handedIn' }, { type: 'handedIn' })).toBe(sent(...toHold) + 2)
})

describe('leaving', () => {
  const leave: Event = { type: 'leave' }
  test('before the camera can be taken back, and informs the server on the way out', () => {
    expect(play(...toConsent, { type: 'disagree' }).effects).not.toContainEqual(
      expect.objectContaining({ type: 'submitSession' }),
    )
    expect(nameAfter(...toConsent, { type: 'disagree' }, { type: 'readAgain' })).toBe('consent')
    const out = play(...toConsent, { type: 'disagree' }, { type: 'depart' })
    expect(out.effects).toContainEqual({ type: 'submitSession', closing: { kind: 'declined' } })
    const told: Event = { type: 'leftServer', redirectUrl: 'https://a.example/' }
    expect(advance(out.situation, told).effects).toEqual([
      { type: 'leave', redirectUrl: 'https://a.example/' },
    ])
  })

  test.each([toAlign, toHold, toAction, toClosing])(
    'with the camera on closes both at once (%#)',
    (...events) => {
      const { situation, effects } = play(...events, leave)
      expect(situation.state).toMatchObject({ name: 'declined', kind: 'stopped' })
      expect(effects.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['closeCamera', 'submitSession']),
      )
    },
  )

  test('without a camera reports that to the server', () => {
    const refused: Event = { type: 'cameraRefused', cause: 'noCamera' }
    const { effects } = play(...toReady, { type: 'startCamera' }, refused, leave)
    expect(effects).toContainEqual({ type: 'submitSession', closing: { kind: 'noCamera' } })
  })

  test('the outcome by itself, unless the person waits', () => {
    const seen = [...toSending, verdict(true)] as Event[]
    expect(typesAfter(...seen, { type: 'late' })).toEqual(['leave'])
    expect(typesAfter(...seen, { type: 'wait' }, { type: 'late' })).toEqual([])
    expect(typesAfter(...seen, { type: 'wait' }, { type: 'depart' })).toEqual(['leave'])
  })

  test.each([
    [true, 4000],
    [false, 20_000],
  ])(
    'the outcome (passed: %s) after %i ms, because a refusal takes longer to read',
    (passed, milliseconds) => {
      const late = { type: 'wait', milliseconds, event: { type: 'late' } }
      expect(play(...toSending, verdict(passed)).effects).toContainEqual(late)
    },
  )
})

describe('what goes wrong', () => {
  test('the camera is reopened once by itself', () => {
    const lost: Event = { type: 'cameraLost' }
    const again = [...toHold, lost] as Event[]
    expect(nameAfter(...again)).toBe('asking')
    const back = [...again, { type: 'cameraOpened' }, { type: 'cameraReady' }] as Event[]
    expect(nameAfter(...back)).toBe('align')
    expect(play(...back, lost).situation.state).toEqual({ name: 'cameraProblem', cause: 'stopped' })
  })

  test('a hidden page turns the camera off, and the step restarts', () => {
    const away = [...toAction, { type: 'hidden' }] as Event[]
    expect(play(...away).situation.state).toEqual({ name: 'cameraProblem', cause: 'away' })
    const back: Event[] = [
      { type: 'tryAgain' },
      { type: 'cameraOpened' },
      { type: 'cameraReady' },
      staged('align'),
      staged('hold'),
    ]
    expect(play(...away, ...back).effects).toContainEqual({
      type: 'submitStep',
      step: 1,
      frames: [],
      request: 'moreTime',
    })
  })

  test('nothing is lost without a network', () => {
    const offline = [...toSending, { type: 'unsent' }] as Event[]
    expect(play(...offline).situation.state).toEqual({ name: 'offline', awaiting: 'session' })
    expect(typesAfter(...offline, { type: 'tryNow' })).toContain('sendAgain')
    expect(nameAfter(...offline, { type: 'deadlineOver' })).toBe('timeOver')
  })

  describe('a lost network', () => {
    const unsent: Event = { type: 'unsent' }
    const tryLater: Effect = { type: 'wait', milliseconds: 5000, event: { type: 'late' } }
    const stepWaits: Event[] = [...toAction, ...acted, unsent]
    const closingWaits: Event[] = [...toSending, unsent]
    const reloaded: Event = { type: 'cutOff', plan, expiresAt: 90_000 }

    test('is shown while the answer to a step is awaited, before it is given up', () => {
      const late = play(...toAction, ...acted, { type: 'late' })
      expect(late.situation.state).toEqual({ name: 'done', after: 'action', late: true })
      expect(late.effects).toEqual([])
    })

    test.each<[string, Event[], Effect['type']]>([
      ['a step', stepWaits, 'sendAgain'],
      ['the last pictures', closingWaits, 'sendAgain'],
      ['a session after a reload', [reloaded], 'open'],
    ])('lets %s wait and tries again by itself, silently', (_name, events, again) => {
      expect(play(...events).effects).toContainEqual(tryLater)
      const tried = play(...events, { type: 'late' })
      expect(tried.situation.state).toEqual(play(...events).situation.state)
      expect(tried.effects).toEqual([{ type: again }])
      expect(play(...events, { type: 'late' }, unsent).effects).toEqual([tryLater])
    })

    test('does not count pictures that were not sent in the end', () => {
      const { framesSent } = play(...toAction).situation.context
      const dropped = answer({ request: true, dropped: frames.length })
      expect(play(...stepWaits, dropped).situation.context).toMatchObject({ framesSent, accepted: 0 })
    })

    test('that is back continues with the step: the person starts the camera', () => {
      const back = play(...stepWaits, { type: 'late' }, answer({ next: { ...next, step: 2 } }))
      expect(back.situation.state).toEqual({ name: 'cameraProblem', cause: 'reconnected' })
      expect(back.situation.context).toMatchObject({ accepted: 1, progress: { step: { step: 2 } } })
    })

    test('that is back shows what is being sent, and the outcome', () => {
      const sending = [...closingWaits, { type: 'late' }, { type: 'uploaded', share: 0.2 }] as Event[]
      expect(nameAfter(...sending)).toBe('sending')
      expect(nameAfter(...closingWaits, { type: 'late' }, verdict(true))).toBe('passed')
    })

    test('after a reload shows the deadline, gets ready meanwhile, and continues', () => {
      const { situation, effects } = play(reloaded)
      expect(situation.state).toEqual({ name: 'offline', awaiting: 'opening' })
      expect(situation.context).toMatchObject({ plan, expiresAt: 90_000 })
      expect(effects).toContainEqual({ type: 'prepare', plan })
      expect(nameAfter(reloaded, { ...opened, consented: true } as Event)).toBe('ready')
    })

    test('until the time is over deletes the pictures and gives the reason', () => {
      const over = play(...closingWaits, { type: 'deadlineOver' })
      expect(over.situation.state).toEqual({ name: 'timeOver', redirectUrl: null, offline: true })
      expect(over.effects).toContainEqual({ type: 'dropSubmission' })
    })

    test('keeps a link from opening, which is tried again by itself', () => {
      const unreachable: Event = { type: 'notOpened', problem: 'unreachable' }
      expect(play(unreachable).effects).toEqual([tryLater])
      expect(play(unreachable, { type: 'late' }).effects).toEqual([{ type: 'open' }])
      expect(play(unreachable, { type: 'online' }).effects).toEqual([{ type: 'open' }])
      expect(play(unreachable, { type: 'late' }, unreachable).effects).toContainEqual(tryLater)
      expect(nameAfter(unreachable, { type: 'late' }, opened)).toBe('consent')
    })
  })

  test('the end of the time ends everything except sending', () => {
    const over: Event = { type: 'deadlineOver' }
    expect(nameAfter(...toAction, over)).toBe('timeOver')
    expect(nameAfter(...toSending, over)).toBe('sending')
    expect(nameAfter(...toSending, { type: 'expired' })).toBe('timeOver')
  })

  test('two people may still be sent', () => {
    const help = [...toAlign, { type: 'late' }, { type: 'help', crowded: true }] as Event[]
    expect(play(...help).situation.state).toEqual({ name: 'help', crowded: true })
    const sent = play(...help, { type: 'sendAnyway' }, staged('snapshot'))
    expect(sent.situation.state.name).toBe('sending')
    expect(sent.effects).toContainEqual({
      type: 'submitSession',
      closing: { kind: 'frames', frames, challengeStep: 0 },
    })
  })

  test('two people may still be sent straight from the oval, too', () => {
    const sent = play(...toAlign, { type: 'late' }, { type: 'sendAnyway' })
    expect(sent.effects).toEqual([{ type: 'track', stage: { name: 'snapshot' } }])
  })

  test.each(['missing', 'wrong', 'gone', 'tooMany', 'unreachable'] as const)(
    'a link that is %s has a page',
    (problem) => {
      expect(play({ type: 'notOpened', problem }).situation.state).toMatchObject({
        name: 'linkProblem',
        problem,
      })
    },
  )

  test('a link that is refused for too many requests says when the next try is possible', () => {
    const refused: Event = { type: 'notOpened', problem: 'tooMany', nextTryAt: 1e12 }
    expect(play(refused).situation.state).toMatchObject({ nextTryAt: 1e12 })
  })

  test('a link that does not open still shows its sender, if that is known', () => {
    const asker = { theme: plan.theme }
    const { context } = play({ type: 'notOpened', problem: 'gone', asker }).situation
    expect([context.asker, context.plan]).toEqual([asker, null])
    expect(play({ type: 'notOpened', problem: 'wrong' }).situation.context.asker).toBeNull()
  })

  test('a session that was over before a reload still knows its embedder, and leads to the same address', () => {
    const framed = { ...plan, embedOrigins: ['https://one.example'] }
    const redirectUrl = 'https://a.example/'
    const over: Event = { type: 'notOpened', problem: 'finished', redirectUrl, plan: framed }
    for (const before of [[], toAction]) {
      const { situation, effects } = play(...before, over, { type: 'depart' })
      expect(situation.state.name).toBe('linkProblem')
      expect(situation.context.plan?.embedOrigins).toEqual(['https://one.example'])
      expect(effects).toEqual([{ type: 'leave', redirectUrl }])
    }
  })

  describe('the analysis that is still being loaded', () => {
    const faces: Event = { type: 'analysisAdvanced', to: 'faces' }
    const guidance: Event = { type: 'analysisAdvanced', to: 'guidance' }
    const late: Event = { type: 'late' }
    const opening: Event[] = [...toReady, { type: 'startCamera' }, { type: 'cameraOpened' }]

    test.each<[string, Event[]]>([
      ['before the camera', [faces, { type: 'cameraReady' }]],
      ['after the camera', [{ type: 'cameraReady' }, faces]],
    ])('shows the person once faces are seen, %s', (_name, events) => {
      const { situation } = play(...opening, ...events)
      expect(situation.state.name).toBe('align')
      expect(situation.context.analysis).toBe('faces')
    })

    test('does not count as a camera that can be tried again', () => {
      const { situation } = play(...opening, { type: 'cameraReady' }, late)
      expect(situation.state).toEqual({ name: 'starting', camera: true, slow: true })
    })

    test('is not time in which the person needs help: that counts from the guidance', () => {
      const waiting: Event[] = [...opening, faces, { type: 'cameraReady' }, late]
      expect(play(...waiting).situation.state).toEqual({ name: 'align', helpOffered: false })
      const guided = play(...waiting, guidance)
      expect(guided.effects).toEqual([expect.objectContaining({ type: 'wait', event: late })])
      expect(play(...waiting, guidance, late).situation.state).toEqual({ name: 'align', helpOffered: true })
    })
  })

  describe('the analysis that could not be loaded', () => {
    const broken: Event = { type: 'analysisBroken', cause: 'notLoaded' }
    const start: Event = { type: 'startCamera' }
    const told: State = { name: 'cameraProblem', cause: 'notLoaded' }

    test.each<[string, Event[]]>([
      ['consent', [...toConsent, broken, { type: 'agree' }]],
      ['ready', [...toReady, broken]],
    ])('during %s is shown before the camera is requested', (_name, events) => {
      expect(nameAfter(...events)).toBe('ready')
      const { situation, effects } = play(...events, start)
      expect(situation.state).toEqual(told)
      expect(effects).not.toContainEqual(expect.objectContaining({ type: 'openCamera' }))
    })

    test('is forgotten once it succeeds', () => {
      expect(nameAfter(...toReady, broken, { type: 'analysisReady' }, start)).toBe('asking')
    })

    test('is loaded again, and the session continues', () => {
      const again: Event[] = [...toReady, broken, start, { type: 'tryAgain' }]
      expect(typesAfter(...again)).toEqual(expect.arrayContaining(['prepare', 'openCamera']))
      const opening: Event[] = [...again, { type: 'cameraOpened' }, { type: 'cameraReady' }]
      expect(nameAfter(...opening)).toBe('starting')
      expect(nameAfter(...opening, { type: 'analysisReady' })).toBe('align')
    })

    test('again is reported again', () => {
      const again: Event[] = [...toReady, broken, start, { type: 'tryAgain' }, broken]
      expect(play(...again).situation.state).toEqual(told)
      expect(typesAfter(...again)).toContain('closeCamera')
    })

    test('in a new worker after a crash is loaded again', () => {
      expect(typesAfter(...toHold, broken, { type: 'tryAgain' })).toContain('prepare')
    })
  })

  test('an unsuited browser does not consume the link', () => {
    expect(nameAfter({ type: 'unsuited', cause: 'oldBrowser' })).toBe('cameraProblem')
  })
})

test('events that mean nothing change nothing', () => {
  const stray: Event[] = [{ type: 'closeHelp' }, staged('closing'), { type: 'readAgain' }]
  for (const event of stray) {
    const before = play(...toConsent).situation
    expect(advance(before, event).situation.state).toEqual<State>(before.state)
  }
})

test('a link that is rate-limited is tried again at the server’s time', () => {
  const limited: Event = { type: 'notOpened', problem: 'unreachable', waitInMilliseconds: 42_000 }
  expect(play(limited).effects).toEqual([{ type: 'wait', milliseconds: 42_000, event: { type: 'late' } }])
  expect(play(limited, { type: 'late' }).effects).toEqual([{ type: 'open' }])
})

test('a session in judgement is shown as such after a reload, even after the network was gone', () => {
  const checking = { name: 'opening', checking: true }
  const cutOff: Event = { type: 'cutOff', plan, expiresAt: null }
  const unreachable: Event = { type: 'notOpened', problem: 'unreachable' }
  for (const before of [[], [cutOff], [unreachable]])
    expect(play(...before, { type: 'beingChecked' }).situation.state).toMatchObject(checking)
})
