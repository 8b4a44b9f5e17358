import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { KioskConfiguration } from '#shared/contract/kiosk/kiosk-device.ts'
import { type KioskFacts, unknownFacts } from '#web/kiosk/core/kiosk-facts.ts'
import type { Pairing } from '#web/kiosk/core/kiosk-store.ts'
import { refreshFacts, viewOf } from '#web/kiosk/flow/kiosk-view.ts'
import { plan } from '../../support/plan.ts'

const configuration = {
  name: 'Front desk',
  locale: 'de',
  capturePlan: plan,
  allowPassive: false,
} as unknown as KioskConfiguration
const pairing = { configuration, isRevoked: false } as Pairing

/** A kiosk that is ready, with the given changes. */
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
    ['storageRefused', ({ refusedStorage }) => (refusedStorage.value = true)],
  ])('is %s', (kind, change) => {
    expect(kioskBut(change).status.value.kind).toBe(kind)
  })

  test.each([
    ['the configuration allows a capture without one', { ...configuration, allowPassive: true }],
    ['no challenge is asked', { ...configuration, capturePlan: { ...plan, challenge: null } }],
  ])('needs no plan if %s', (_, changed) => {
    const view = kioskBut((facts) => {
      facts.pairing.value = { ...pairing, configuration: changed }
      facts.unusedPlans.value = 0
    })
    expect(view.status.value.kind).toBe('ready')
  })

  test('shows the server’s report', () => {
    expect(kioskBut(() => {}).settings.value).toEqual({ locale: 'de', capturePlan: plan })
    expect(kioskBut(() => {}).name.value).toBe('Front desk')
  })
})

/** Reloads the stored data in a browser whose storage gives this answer when space is reserved. */
async function refreshWhere(hold: () => Promise<boolean>, facts = unknownFacts()) {
  facts.place.value = 'here'
  facts.pairing.value = pairing
  facts.installed.value = { share: 1, isStuck: false, isDone: true }
  const noted: unknown[] = []
  await refreshFacts({
    facts,
    reserve: { hold },
    queue: { count: async () => ({ waiting: 1, setAside: 0, lastSentAt: null, lastSequence: 7 }) },
    plans: { unused: async () => 3 },
    pin: { isSet: async () => true },
    clock: { drift: () => ({ offsetInSeconds: 0, isFlagged: false }) },
    note: (...told) => noted.push(told),
  })
  return { facts, noted, status: () => viewOf(facts).status.value.kind }
}

describe('a browser without storage', () => {
  beforeEach(() => void vi.stubGlobal('navigator', {}))
  afterEach(() => void vi.unstubAllGlobals())
  const webkitRefuses = () =>
    Promise.reject(
      new DOMException('Error preparing Blob/File data to be stored in object store', 'UnknownError'),
    )

  test('is reported with its message, and everything else is still read', async () => {
    const { facts, noted, status } = await refreshWhere(webkitRefuses)
    expect(status()).toBe('storageRefused')
    expect(noted).toEqual([['storageRefused', 'UnknownError']])
    expect([facts.counts.value.lastSequence, facts.unusedPlans.value, facts.hasPin.value]).toEqual([
      7,
      3,
      true,
    ])
  })

  test('is forgotten when it stores something', async () => {
    const { facts } = await refreshWhere(webkitRefuses)
    expect((await refreshWhere(async () => true, facts)).status()).toBe('ready')
  })

  test('is distinguished from a full one', async () => {
    const { noted, status } = await refreshWhere(async () => false)
    expect(status()).toBe('full')
    expect(noted).toEqual([['storageFull']])
  })
})
