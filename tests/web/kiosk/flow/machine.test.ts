import { describe, expect, test } from 'vitest'
import type { KioskStatus } from '#web/kiosk/core/kiosk.ts'
import {
  type KioskEffect,
  type KioskEvent,
  type KioskSituation,
  menuSections,
} from '#web/kiosk/core/state.ts'
import { advanceKiosk, kioskBeginning } from '#web/kiosk/flow/machine.ts'

const status = (
  kind: 'unpaired' | 'elsewhere' | 'ready' | 'revoked' | 'full' | 'noPlans',
  hasPin = true,
): KioskEvent => ({
  type: 'status',
  status: { kind },
  hasPin,
})
const installing = (share: number, hasPin = true): KioskEvent => ({
  type: 'status',
  status: { kind: 'installing', share, isStuck: false },
  hasPin,
})
const ready = status('ready')
const start: KioskEvent = { type: 'start' }
const idle: KioskEvent = { type: 'idle' }
const ended: KioskEvent = { type: 'ended', answer: 'passed', expression: null }
const toVisit = [ready, start, { type: 'visitBegan' }] as const
const toMenu = [
  ready,
  { type: 'staff' },
  { type: 'enterPin', pin: '1234' },
  { type: 'pinChecked', isRight: true, waitUntil: null },
] as const

/** Plays events from the beginning. The effects are the last event's. */
function play(...events: readonly KioskEvent[]) {
  let situation: KioskSituation = kioskBeginning
  let effects: readonly KioskEffect[] = []
  for (const event of events) ({ situation, effects } = advanceKiosk(situation, event))
  return { state: situation.state, effects }
}
const stateAfter = (...events: readonly KioskEvent[]) => play(...events).state
const nameAfter = (...events: readonly KioskEvent[]) => stateAfter(...events).name
const typesAfter = (...events: readonly KioskEvent[]) => play(...events).effects.map(({ type }) => type)

describe('between two people', () => {
  test.each([
    [status('unpaired'), 'pairing'],
    [status('elsewhere'), 'elsewhere'],
    [installing(0.5), 'installing'],
    [ready, 'attract'],
    [status('revoked'), 'closed'],
    [status('full'), 'closed'],
    [status('noPlans'), 'closed'],
  ] as const)('the core’s status decides the screen: %o', (told, name) => expect(nameAfter(told)).toBe(name))

  test('the stored share is updated', () =>
    expect(stateAfter(installing(0.2), installing(0.7))).toMatchObject({ share: 0.7 }))

  test('a kiosk recovers from being full', () => expect(nameAfter(status('full'), ready)).toBe('attract'))

  test('no visit begins if none can', () => {
    for (const kind of ['revoked', 'full', 'noPlans', 'elsewhere'] as const)
      expect(typesAfter(status(kind), start), kind).toEqual([])
  })

  test('the next person finds the language of the kiosk', () =>
    expect(typesAfter(ready, idle)).toEqual(['resetLanguage']))
})

describe('pairing', () => {
  const pair: KioskEvent = { type: 'pair', code: 'K7M4P-9QXDT' }

  test('tries the code once at a time, and reports why it was refused', () => {
    expect(play(status('unpaired'), pair).effects).toEqual([{ type: 'pair', code: 'K7M4P-9QXDT' }])
    expect(typesAfter(status('unpaired'), pair, pair)).toEqual([])
    expect(stateAfter(status('unpaired'), pair, { type: 'notPaired', trouble: 'gone' })).toEqual({
      name: 'pairing',
      busy: false,
      trouble: 'gone',
    })
  })

  test('is not restarted by status updates of a kiosk that is still unpaired', () => {
    const refused: KioskEvent = { type: 'notPaired', trouble: 'gone' }
    expect(stateAfter(status('unpaired'), pair, status('unpaired'))).toMatchObject({ busy: true })
    expect(stateAfter(status('unpaired'), pair, refused, status('unpaired'))).toMatchObject({
      trouble: 'gone',
    })
  })

  test('asks for a PIN before anything else, and while files are stored', () => {
    const unsafe = [status('unpaired'), installing(0, false)]
    expect(nameAfter(...unsafe)).toBe('newPin')
    expect(nameAfter(...unsafe, status('ready', false))).toBe('newPin')
    expect(nameAfter(...unsafe, installing(0.4))).toBe('installing')
  })

  test('asks for a PIN at a kiosk that was closed before it had one, so that staff can unpair it', () => {
    for (const kind of ['revoked', 'full', 'noPlans'] as const) {
      expect(nameAfter(status(kind, false)), kind).toBe('newPin')
      expect(nameAfter(status(kind, false), status(kind)), kind).toBe('closed')
    }
  })

  test('asks for none if the browser has no storage', () => {
    const refused = { kind: 'storageRefused' } as const
    expect(nameAfter({ type: 'status', status: refused, hasPin: false })).toBe('closed')
  })

  test.each([
    ['123', '123', 'notDigits'],
    ['1234567890123', '1234567890123', 'notDigits'],
    ['12a4', '12a4', 'notDigits'],
    ['1234', '1235', 'differs'],
  ])('refuses the PIN %s with %s', (pin, again, trouble) => {
    const chosen = play(status('ready', false), { type: 'choosePin', pin, again })
    expect(chosen).toEqual({ state: { name: 'newPin', trouble }, effects: [] })
  })

  test.each(['1234', '123456789012'])('accepts the PIN %s', (pin) =>
    expect(play(status('ready', false), { type: 'choosePin', pin, again: pin }).effects).toEqual([
      { type: 'setPin', pin },
    ]),
  )

  test('a message about a PIN remains while files are stored', () => {
    const differs: KioskEvent = { type: 'choosePin', pin: '1234', again: '4321' }
    expect(stateAfter(installing(0, false), differs, installing(0.5, false))).toMatchObject({
      trouble: 'differs',
    })
  })
})

describe('a visit', () => {
  test('begins once, however often the button is pressed', () => {
    expect(typesAfter(ready, start)).toEqual(['beginVisit'])
    expect(typesAfter(ready, start, start)).toEqual([])
    expect(typesAfter(ready, start, { type: 'staff' })).toEqual([])
    expect(nameAfter(...toVisit)).toBe('visit')
  })

  test('that could not begin returns the kiosk to its status', () => {
    const refused: KioskEvent = { type: 'visitRefused' }
    expect(stateAfter(ready, start, refused)).toEqual({ name: 'attract', busy: false })
    expect(stateAfter(ready, start, status('full'), refused)).toEqual({ name: 'closed', cause: 'full' })
  })

  test('is wiped as soon as there is an answer', () => {
    expect(stateAfter(...toVisit, ended)).toMatchObject({ name: 'answer', answer: 'passed', staying: false })
    expect(typesAfter(...toVisit, ended)).toEqual(['endVisit'])
  })

  test('asks whether a person has left, rests meanwhile, and is wiped without an answer', () => {
    expect(nameAfter(...toVisit, idle)).toBe('stillThere')
    expect(typesAfter(...toVisit, idle)).toEqual(['restVisit'])
    expect(nameAfter(...toVisit, idle, { type: 'here' })).toBe('visit')
    expect(nameAfter(...toVisit, idle, idle)).toBe('attract')
    expect(typesAfter(...toVisit, idle, idle)).toEqual(['endVisit', 'resetLanguage'])
  })

  test('that ends during the question shows its answer', () =>
    expect(nameAfter(...toVisit, idle, ended)).toBe('answer'))

  test.each(['ready', 'revoked', 'full', 'noPlans'] as const)(
    'is not interrupted by a kiosk that becomes %s; that is shown afterwards',
    (kind) => {
      const told = status(kind)
      expect(nameAfter(...toVisit, told)).toBe('visit')
      expect(nameAfter(...toVisit, idle, told)).toBe('stillThere')
      expect(nameAfter(...toVisit, told, ended, told)).toBe('answer')
      expect(nameAfter(...toVisit, told, ended, idle)).toBe(kind === 'ready' ? 'attract' : 'closed')
    },
  )

  test.each(['unpaired', 'elsewhere'] as const)('is wiped in a window that becomes %s', (kind) => {
    for (const visit of [toVisit, [...toVisit, idle]])
      expect(typesAfter(...visit, status(kind))).toEqual(['endVisit'])
  })
})

describe('the answer', () => {
  const shown = [...toVisit, ended]

  test('disappears by itself, or when it was read', () => {
    for (const event of [idle, { type: 'finish' } as const]) {
      expect(nameAfter(...shown, event)).toBe('attract')
      expect(typesAfter(...shown, event)).toContain('resetLanguage')
    }
  })

  test('stays longer on request', () =>
    expect(stateAfter(...shown, { type: 'keep' })).toMatchObject({ name: 'answer', staying: true }))
})

describe('the staff menu', () => {
  const closing: readonly KioskEvent[] = [idle, { type: 'close' }]

  test.each([
    ['attract', ready],
    ['closed', status('revoked')],
    ['installing', installing(0.5)],
  ] as const)('is reached from %s, behind the PIN', (_name, home) => {
    expect(nameAfter(home, { type: 'staff' })).toBe('pin')
    expect(nameAfter(home, { type: 'staff' }, { type: 'openSection', section: 'queue' })).toBe('pin')
  })

  test('tries one PIN at a time, and shows when the next may be tried', () => {
    const enter: KioskEvent = { type: 'enterPin', pin: '0000' }
    const wrong: KioskEvent = { type: 'pinChecked', isRight: false, waitUntil: 99 }
    expect(play(ready, { type: 'staff' }, enter).effects).toEqual([{ type: 'checkPin', pin: '0000' }])
    expect(typesAfter(ready, { type: 'staff' }, enter, enter)).toEqual([])
    expect(stateAfter(ready, { type: 'staff' }, enter, wrong)).toEqual({
      name: 'pin',
      busy: false,
      isWrong: true,
      waitUntil: 99,
    })
  })

  test('cannot be opened during a visit', () =>
    expect(nameAfter(...toVisit, { type: 'staff' })).toBe('visit'))

  test.each(menuSections)('opens %s, leads back, and closes when it is left alone', (section) => {
    const opened = [...toMenu, { type: 'openSection', section } as const]
    expect(nameAfter(...opened)).toBe(section)
    expect(nameAfter(...opened, { type: 'back' })).toBe('menu')
    for (const event of closing) {
      expect(nameAfter(...opened, event)).toBe('attract')
      expect(nameAfter(...toMenu, event)).toBe('attract')
      expect(nameAfter(ready, { type: 'staff' }, event)).toBe('attract')
    }
  })

  test('stays open on status updates, except for a lost pairing', () => {
    expect(nameAfter(...toMenu, status('full'))).toBe('menu')
    expect(nameAfter(...toMenu, status('unpaired', false))).toBe('pairing')
  })

  test.each(['sync', 'retry'] as const)('does one %s at a time', (type) => {
    const queue = [...toMenu, { type: 'openSection', section: 'queue' } as const]
    expect(typesAfter(...queue, { type })).toEqual([type])
    expect(typesAfter(...queue, { type }, { type })).toEqual([])
    expect(typesAfter(...queue, { type }, { type: 'done' }, { type })).toEqual([type])
  })

  test('discards waiting captures only after the name was typed twice', () => {
    const typed: KioskEvent = { type: 'unpair', name: 'North' }
    const open = [...toMenu, { type: 'openSection', section: 'unpair' } as const]
    expect(play(...open, typed).effects).toEqual([{ type: 'unpair', name: 'North', loseWaiting: false }])
    const told = [...open, typed, { type: 'notUnpaired', trouble: 'waiting' } as const]
    expect(stateAfter(...told)).toEqual({ name: 'unpair', busy: false, trouble: 'waiting' })
    expect(play(...told, typed).effects).toEqual([{ type: 'unpair', name: 'North', loseWaiting: true }])
    const wrong = [...open, typed, { type: 'notUnpaired', trouble: 'wrongName' } as const, typed]
    expect(play(...wrong).effects).toEqual([{ type: 'unpair', name: 'North', loseWaiting: false }])
  })
})

test('every status of the core has a screen', () => {
  const kinds: Record<KioskStatus['kind'], true> = {
    starting: true,
    unpaired: true,
    elsewhere: true,
    installing: true,
    ready: true,
    revoked: true,
    full: true,
    noPlans: true,
    storageRefused: true,
  }
  for (const kind of Object.keys(kinds)) {
    const told = { kind, share: 0, isStuck: false } as KioskStatus
    const seen = nameAfter({ type: 'status', status: told, hasPin: true })
    expect(seen === 'starting', kind).toBe(kind === 'starting')
  }
})
