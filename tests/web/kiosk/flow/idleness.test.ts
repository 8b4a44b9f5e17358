import { describe, expect, test } from 'vitest'
import { emptyView } from '#web/capture/analysis/tracker.ts'
import { beginning } from '#web/capture/machine/machine.ts'
import { isAttended, isInUse, patienceOf } from '#web/kiosk/flow/idleness.ts'
import { kioskExhibits } from '#web/preview/kiosk-exhibits.ts'
import { exhibits } from '#web/preview/preview-exhibits.ts'

const seen = (screen: string, hint: 'closer' | 'showFace' | 'tooDark' | null) => {
  const view = emptyView()
  view.hint.value = hint
  return isAttended({ ...beginning, state: exhibits[screen]!.state }, view)
}

describe('the patience of a screen', () => {
  const secondsOf = (screen: string) => {
    const patience = patienceOf(kioskExhibits[`kiosk-${screen}`]!)
    return patience === null ? null : patience.milliseconds / 1000
  }

  test.each([
    ['attract', 20],
    ['still-there', 20],
    ['answer-passed', 10],
    ['answer-expression', 60],
    ['pin', 60],
    ['menu', 60],
    ['unpair', 60],
    ['pairing', null],
    ['new-pin', null],
    ['installing', null],
    ['revoked', null],
  ] as const)('%s: %s seconds', (screen, seconds) => expect(secondsOf(screen)).toBe(seconds))

  test('a visit: 20 seconds', () => expect(patienceOf({ name: 'visit' })?.milliseconds).toBe(20_000))

  test('an answer disappears whatever is touched, unless it is kept', () => {
    expect(patienceOf(kioskExhibits['kiosk-answer-passed']!)?.isRenewed).toBe(false)
    expect(patienceOf(kioskExhibits['kiosk-answer-expression']!)?.isRenewed).toBe(true)
  })
})

test('a new build waits for people who are checked, read their answer or type, and for no one else', () => {
  const states = Object.entries({ ...kioskExhibits, visit: { name: 'visit' } as const })
  const free = states.filter(([, state]) => !isInUse(state)).map(([name]) => name.replace('kiosk-', ''))
  expect(free).toEqual([
    'starting',
    'elsewhere',
    'installing',
    'installing-stuck',
    'attract',
    'revoked',
    'full',
    'noPlans',
    'storageRefused',
  ])
})

describe('a person counts as present', () => {
  test.each(['align', 'hold', 'action-blink', 'done-hold', 'closing'])(
    'if the camera sees their face in %s, and only then',
    (screen) => {
      expect(seen(screen, null)).toBe(true)
      expect(seen(screen, 'closer')).toBe(true)
      expect(seen(screen, 'showFace')).toBe(false)
      expect(seen(screen, 'tooDark')).toBe(false)
    },
  )

  test.each(['consent', 'ready', 'paused', 'help', 'camera-away', 'retake-dark'])(
    'only by touch in %s, which uses no camera',
    (screen) => expect(seen(screen, null)).toBe(false),
  )

  test('while the device works on their input', () => expect(seen('sending', 'showFace')).toBe(true))
})
