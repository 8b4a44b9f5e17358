import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Problem } from '#shared/problem.ts'
import { unknownFacts } from '#web/kiosk/core/kiosk-facts.ts'
import type { DeviceKey, KioskStore, Pairing } from '#web/kiosk/core/kiosk-store.ts'
import type { KioskClient } from '#web/kiosk/delivery/kiosk-client.ts'
import { createPairingDesk } from '#web/kiosk/staff/pairing-desk.ts'

let answerPrompt: (isAllowed: boolean) => void
beforeEach(() => {
  // Firefox prompts the person, and does not resolve until they answer.
  const persist = () => new Promise<boolean>((resolve) => (answerPrompt = resolve))
  vi.stubGlobal('navigator', { storage: { persist } })
})
afterEach(() => void vi.unstubAllGlobals())

/** A desk with a server that accepts every code. */
function openDesk() {
  const facts = unknownFacts()
  const kept = new Map<string, unknown>()
  const stores = {
    get: async (key: string) => kept.get(key),
    put: async (value: unknown, key: string) => void kept.set(key, value),
    clear: async () => kept.clear(),
  }
  const store = {
    deviceKey: async () => kept.get('deviceKey') as DeviceKey | undefined,
    write: async (_: unknown, work: (transaction: unknown) => Promise<unknown>) =>
      work({ objectStore: () => stores }),
  } as unknown as KioskStore
  const configuration = { name: 'Desk' }
  const answer = { kioskId: 'k1', issuer: 'https://check.example', configuration, plans: ['a plan'] }
  const client = {
    pair: vi.fn(async () => answer),
    sync: vi.fn(async () => answer),
    forget: () => {},
  }
  const plans: string[] = []
  const refresh = vi.fn(async () => {})
  const desk = createPairingDesk({
    facts,
    store,
    reserve: { within: (_, write) => write() },
    clock: { offset: () => 0 },
    client: client as unknown as KioskClient,
    plans: { keep: async (signed) => plans.push(...signed) && 0 },
    refresh,
    note: () => {},
  })
  return {
    desk,
    facts,
    plans,
    refresh,
    client,
    answer,
    kept,
    pairing: () => kept.get('pairing') as Pairing | undefined,
  }
}

test('a kiosk is paired before its person answers whether Firefox may keep its data', async () => {
  const { desk, facts, plans, pairing, refresh } = openDesk()
  expect(await desk.pair('A1B2-C3D4')).toBeUndefined()
  expect(pairing()?.kioskId).toBe('k1')
  expect(facts.pairing.value?.kioskId).toBe('k1')
  expect(plans).toEqual(['a plan'])
  expect(refresh).toHaveBeenCalledTimes(1)
})

test('the answer is shown when it arrives', async () => {
  const { desk, refresh } = openDesk()
  await desk.pair('A1B2-C3D4')
  answerPrompt(true)
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledTimes(2))
})

describe('a sync in progress', () => {
  /** A paired desk. Its next sync is answered when the test tells it to. */
  async function syncing() {
    const opened = openDesk()
    await opened.desk.pair('A1B2-C3D4')
    let answerSync = () => {}
    let refuseSync = (_: Problem) => {}
    opened.client.sync.mockImplementationOnce(
      () =>
        new Promise((resolve, reject) => {
          answerSync = () => resolve(opened.answer)
          refuseSync = reject
        }),
    )
    const synced = opened.desk.sync()
    await vi.waitFor(() => expect(opened.client.sync).toHaveBeenCalled())
    return { ...opened, synced, answerSync, refuseSync }
  }
  const revoked = new Problem('kiosk_revoked', 'This kiosk has been revoked.')

  test.each(['an answer', 'a refusal'])('brings no pairing back that was ended: %s', async (kind) => {
    const { desk, facts, kept, synced, answerSync, refuseSync } = await syncing()
    expect(await desk.unpair('Desk', false)).toBe('unpaired')
    if (kind === 'an answer') answerSync()
    else refuseSync(revoked)
    await synced
    expect(facts.pairing.value).toBeUndefined()
    expect([...kept.keys()]).toEqual([])
  })

  test('reports nothing of the kiosk that the device has become since', async () => {
    const { desk, facts, answer, client, synced, refuseSync } = await syncing()
    await desk.unpair('Desk', false)
    client.pair.mockResolvedValueOnce({ ...answer, kioskId: 'k2' })
    await desk.pair('E5F6-G7H8')
    refuseSync(revoked)
    await synced
    expect(facts.pairing.value).toMatchObject({ kioskId: 'k2', isRevoked: false })
  })

  test('keeps no pairing whose key is gone, even if the page has not noticed yet', async () => {
    const { facts, kept, synced, answerSync, pairing } = await syncing()
    kept.clear()
    answerSync()
    await synced
    expect(facts.pairing.value?.kioskId).toBe('k1')
    expect(pairing()).toBeUndefined()
  })
})

test('a sync that invalidates plans requests others at once', async () => {
  const { desk, facts, refresh, client } = openDesk()
  await desk.pair('A1B2-C3D4')
  facts.unusedPlans.value = 200
  expect(await desk.sync()).toBe(true)
  expect(client.sync).toHaveBeenCalledTimes(1)
  refresh.mockImplementationOnce(async () => {})
  refresh.mockImplementationOnce(async () => {
    facts.unusedPlans.value = 0
  })
  expect(await desk.sync()).toBe(true)
  const told = client.sync.mock.calls.map((call) => (call as unknown as [object])[0])
  expect(told.slice(1)).toMatchObject([{ unusedPlanCount: 200 }, { unusedPlanCount: 0 }])
})

test('the issuer of a server that moved is adopted, and plans of the former one remain valid', async () => {
  const { desk, pairing, client, answer } = openDesk()
  await desk.pair('A1B2-C3D4')
  client.sync.mockResolvedValueOnce({ ...answer, issuer: 'https://new.example' })
  await desk.sync()
  expect(pairing()).toMatchObject({
    issuer: 'https://new.example',
    formerIssuers: ['https://check.example'],
  })
  const { issuer: _untold, ...older } = answer
  client.sync.mockResolvedValueOnce(older as typeof answer)
  await desk.sync()
  expect(pairing()?.issuer).toBe('https://new.example')
})
