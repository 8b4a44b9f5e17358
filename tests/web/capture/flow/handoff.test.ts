import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Problem } from '#shared/problem.ts'
import { createHandoffSide } from '#web/capture/flow/handoff.ts'
import type { Event } from '#web/capture/machine/state.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const found = {
  state: 'Created' as const,
  capturePlan: {} as never,
  expirationUtcTime: '',
  current: null,
  redirectUrl: null,
  verificationResult: null,
  handoff: { isHeldHere: false, number: '42', actionsDone: 0 },
}
const code = { code: 'K7M4P-9QXDT', url: 'https://check.example/handoff#K7M4P9QXDT' }

/** The hand-over with a server that gives the test's answers. */
function start(answers: Partial<Parameters<typeof createHandoffSide>[0]['client']> = {}) {
  const told: Event[] = []
  const client = {
    find: vi.fn(async () => found),
    createHandoff: vi.fn(async () => ({
      ...code,
      expirationUtcTime: new Date(Date.now() + 60_000).toJSON(),
    })),
    cancelHandoff: vi.fn(async () => ({})),
    serverTime: () => Date.now(),
    ...answers,
  }
  const page = Object.assign(new EventTarget(), { hidden: false }) as unknown as Document
  const side = createHandoffSide({ send: (event) => told.push(event), client, token: () => 't', page })
  return { told, client, side, types: () => told.map(({ type }) => type) }
}

describe('polling the session', () => {
  test.each<[string, object, object]>([
    ['a device that holds it', {}, { type: 'followed' }],
    [
      'its verdict',
      { state: 'Completed', verificationResult: 'Fail', redirectUrl: 'https://a.example/' },
      { type: 'verdict', passed: false, redirectUrl: 'https://a.example/' },
    ],
    ['its end without one', { state: 'Expired' }, { type: 'expired' }],
    ['that it was taken away', { handoff: { ...found.handoff, number: null } }, { type: 'elsewhere' }],
  ])('reports %s', async (_what, more, event) => {
    const { told, side } = start({ find: async () => ({ ...found, ...more }) })
    side.follow()
    await vi.advanceTimersByTimeAsync(2000)
    expect(told).toMatchObject([event])
  })

  test('continues when the network fails, and ends with the token', async () => {
    const find = vi.fn(async () => {
      throw find.mock.calls.length === 1 ? new TypeError('no network') : new Problem('unauthenticated', '')
    })
    const { told, side } = start({ find })
    side.follow()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(find).toHaveBeenCalledTimes(2)
    expect(told).toEqual([])
  })
})

describe('taking the session back', () => {
  test('ignores an earlier poll', async () => {
    let answer = (_value: typeof found) => {}
    const find = vi.fn(() => new Promise<typeof found>((resolve) => (answer = resolve)))
    const { told, side } = start({ find })
    side.follow()
    await vi.advanceTimersByTimeAsync(2000)
    await side.cancel()
    answer(found)
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(2000)
    expect(find).toHaveBeenCalledTimes(2)
  })

  test('takes precedence over a new code', async () => {
    let taken = () => {}
    const cancelHandoff = () => new Promise<void>((resolve) => (taken = resolve))
    const { client, side, types } = start({ cancelHandoff })
    void side.cancel()
    const making = side.makeCode()
    await vi.advanceTimersByTimeAsync(0)
    expect(client.createHandoff).not.toHaveBeenCalled()
    taken()
    await making
    expect(types()).toEqual(['codeMade'])
  })

  test('that is refused does not prevent later attempts', async () => {
    const cancelHandoff = () => Promise.reject(new Problem('session_closed', ''))
    const { side, types } = start({ cancelHandoff })
    await side.cancel()
    await side.makeCode()
    expect(types()).toEqual(['codeMade'])
  })
})

test.each([
  [60_000, 60_000],
  [3_600_000, 180_000],
  [-5000, 180_000],
])('a code that expires in %i ms by a possibly wrong clock is renewed after %i', async (ends, lifetime) => {
  const expirationUtcTime = new Date(Date.now() + ends).toJSON()
  const { told, side } = start({ createHandoff: async () => ({ ...code, expirationUtcTime }) })
  await side.makeCode()
  expect(told).toMatchObject([{ type: 'codeMade', lifetime }])
})

test('a code that cannot be created is reported', async () => {
  const { side, types } = start({ createHandoff: () => Promise.reject(new TypeError('no network')) })
  await side.makeCode()
  expect(types()).toEqual(['codeRefused'])
})

test('a code expires correctly on a device whose clock is a minute fast', async () => {
  const serverTime = () => Date.now() - 60_000
  const expirationUtcTime = new Date(serverTime() + 150_000).toJSON()
  const { told, side } = start({ serverTime, createHandoff: async () => ({ ...code, expirationUtcTime }) })
  await side.makeCode()
  const ends = { lifetime: 150_000, code: { expiresAt: Date.now() + 150_000 } }
  expect(told).toMatchObject([{ type: 'codeMade', ...ends }])
})
