import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeviceKey, KioskStore, Pairing } from '#web/kiosk/core/kiosk-store.ts'
import { unknownFacts } from '#web/kiosk/core/kiosk-view.ts'
import type { KioskClient } from '#web/kiosk/delivery/kiosk-client.ts'
import { createPairingDesk } from '#web/kiosk/staff/pairing-desk.ts'

let answerPrompt: (isAllowed: boolean) => void
beforeEach(() => {
  // Firefox asks the person, and says nothing before they do.
  const persist = () => new Promise<boolean>((resolve) => (answerPrompt = resolve))
  vi.stubGlobal('navigator', { storage: { persist } })
})
afterEach(() => void vi.unstubAllGlobals())

/** A desk whose server takes every code. */
function openDesk() {
  const facts = unknownFacts()
  const kept = new Map<string, unknown>()
  const stores = { put: async (value: unknown, key: string) => void kept.set(key, value) }
  const store = {
    deviceKey: async () => kept.get('deviceKey') as DeviceKey | undefined,
    write: async (_: unknown, work: (transaction: unknown) => Promise<unknown>) =>
      work({ objectStore: () => stores }),
  } as unknown as KioskStore
  const answer = { kioskId: 'k1', issuer: 'https://check.example', configuration: {}, plans: ['a plan'] }
  const client = { pair: async () => answer } as unknown as KioskClient
  const plans: string[] = []
  const refresh = vi.fn(async () => {})
  const desk = createPairingDesk({
    facts,
    store,
    reserve: { within: (_, write) => write() },
    clock: { offset: () => 0 },
    client,
    plans: { keep: async (signed) => plans.push(...signed) && 0 },
    refresh,
    note: () => {},
  })
  return { desk, facts, plans, refresh, pairing: () => kept.get('pairing') as Pairing | undefined }
}

test('a kiosk is paired before its person answers whether Firefox may keep its data', async () => {
  const { desk, facts, plans, pairing, refresh } = openDesk()
  expect(await desk.pair('A1B2-C3D4')).toBeUndefined()
  expect(pairing()?.kioskId).toBe('k1')
  expect(facts.pairing.value?.kioskId).toBe('k1')
  expect(plans).toEqual(['a plan'])
  expect(refresh).toHaveBeenCalledTimes(1)
})

test('the answer is shown when it comes', async () => {
  const { desk, refresh } = openDesk()
  await desk.pair('A1B2-C3D4')
  answerPrompt(true)
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledTimes(2))
})
