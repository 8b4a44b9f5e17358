import { describe, expect, test } from 'vitest'
import type { KioskConfiguration } from '#shared/contract/kiosk/kiosk-device.ts'
import type { Pairing } from '#web/kiosk/core/kiosk-store.ts'
import { type KioskFacts, unknownFacts, viewOf } from '#web/kiosk/core/kiosk-view.ts'
import { plan } from '../../support/plan.ts'

const configuration = {
  name: 'Front desk',
  locale: 'de',
  capturePlan: plan,
  allowPassive: false,
} as unknown as KioskConfiguration
const pairing = { configuration, isRevoked: false } as Pairing

/** A kiosk that is ready, but for what is changed. */
function kioskBut(change: (facts: KioskFacts) => void) {
  const facts = unknownFacts()
  facts.place.value = 'here'
  facts.pairing.value = pairing
  facts.installed.value = { share: 1, isStuck: false, isDone: true }
  facts.unusedPlans.value = 3
  change(facts)
  return viewOf(facts)
}

describe('the status of a kiosk', () => {
  test.each<[string, (facts: KioskFacts) => void]>([
    ['ready', () => {}],
    ['starting', ({ place }) => (place.value = 'starting')],
    ['elsewhere', ({ place }) => (place.value = 'elsewhere')],
    ['unpaired', (facts) => (facts.pairing.value = undefined)],
    ['revoked', (facts) => (facts.pairing.value = { ...pairing, isRevoked: true })],
    ['installing', ({ installed }) => (installed.value = { share: 0.5, isStuck: false, isDone: false })],
    ['full', ({ refusedWrite }) => (refusedWrite.value = true)],
    ['full', ({ hasReserve }) => (hasReserve.value = false)],
    ['noPlans', ({ unusedPlans }) => (unusedPlans.value = 0)],
  ])('is %s', (kind, change) => {
    expect(kioskBut(change).status.value.kind).toBe(kind)
  })

  test.each([
    ['the configuration allows a capture without one', { ...configuration, allowPassive: true }],
    ['no challenge is asked', { ...configuration, capturePlan: { ...plan, challenge: null } }],
  ])('needs no plan where %s', (_, changed) => {
    const view = kioskBut((facts) => {
      facts.pairing.value = { ...pairing, configuration: changed }
      facts.unusedPlans.value = 0
    })
    expect(view.status.value.kind).toBe('ready')
  })

  test('shows what the server told', () => {
    expect(kioskBut(() => {}).settings.value).toEqual({ locale: 'de', capturePlan: plan })
    expect(kioskBut(() => {}).name.value).toBe('Front desk')
  })
})
