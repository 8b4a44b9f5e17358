import { afterEach, describe, expect, test, vi } from 'vitest'
import { createRequestLog, requestLogLimits } from '#server/features/audit/requests/request-log.ts'
import type { RequestRecord } from '#server/platform/http/requests/request-record.ts'
import { describeOnSharedStores } from '../../../../support/stores.ts'

const start = 1_800_000_000_000
const record = (requestId: string, more: Partial<RequestRecord> = {}): RequestRecord => ({
  requestId,
  method: 'POST',
  route: '/v1/verification/create-session',
  status: 200,
  durationInMilliseconds: 1.5,
  bytes: 10,
  accountId: 'a',
  keyId: 'k',
  ...more,
})
const fail = (error: unknown) => {
  throw error
}

describeOnSharedStores('the log of calls', (shared) => {
  async function open(now = () => start) {
    return createRequestLog({ store: await shared.open(), now, onFailure: fail })
  }
  const idsOf = async (log: Awaited<ReturnType<typeof open>>, accountId: string) =>
    (await log.of(accountId)).map(({ requestId }) => requestId)

  test('shows a call without further details, to its account only', async () => {
    const log = await open()
    log.note(record('1', { accountId: 'told', status: 404, code: 'not_found', traceId: 't', aborted: true }))
    log.note(record('2', { accountId: 'other' }))
    log.note(record('3', { accountId: undefined as never }))
    expect(await log.of('told')).toEqual([
      {
        at: start,
        place: expect.stringMatching(/^\w{8}$/),
        requestId: '1',
        method: 'POST',
        path: '/v1/verification/create-session',
        status: 404,
        code: 'not_found',
        durationInMilliseconds: 1.5,
        aborted: true,
        keyId: 'k',
        operatorId: null,
      },
    ])
    expect(await idsOf(log, 'other')).toEqual(['2'])
  })

  test('omits reads in the console, and includes changes', async () => {
    const log = await open()
    const person = { accountId: 'people', keyId: undefined as never, operatorId: 'o' }
    log.note(record('read', { ...person, method: 'GET' }))
    log.note(record('changed', person))
    expect(await log.of('people')).toMatchObject([{ requestId: 'changed', keyId: null, operatorId: 'o' }])
  })

  test('covers the answers of every process, newest first', async () => {
    let now = start
    const [one, other] = [await open(() => now), await open(() => now)]
    const expected: string[] = []
    for (let i = 0; i < 250; i++) {
      now = start + i
      const log = i % 2 === 0 ? one : other
      log.note(record(String(i), { accountId: 'shared' }))
      expected.unshift(String(i))
      if (i % 70 === 0) await log.flush()
    }
    await other.flush()
    expect(await idsOf(one, 'shared')).toEqual(expected)
  })

  test('keeps the latest 2,000 of a process, in any order', async () => {
    let now = start
    const log = await open(() => now++)
    for (let i = 0; i < 2500; i++) log.note(record(String(i), { accountId: 'many' }))
    expect(await idsOf(log, 'many')).toHaveLength(2000)
    for (let i = 2500; i < 4000; i++) {
      log.note(record(String(i), { accountId: 'many' }))
      if (i % 37 === 0) await log.flush()
    }
    const ids = await idsOf(log, 'many')
    expect(ids.length).toBeLessThanOrEqual(requestLogLimits.most)
    expect(ids.length).toBeGreaterThan(requestLogLimits.most - 100)
    expect(ids[0]).toBe('3999')
    expect(ids.at(-1)).toBe(String(4000 - ids.length))
  })

  test('keeps the latest 2,000 including calls from before the first write', async () => {
    const log = await open()
    for (let i = 0; i < 6500; i++) log.note(record(String(i), { accountId: 'flood' }))
    const ids = await idsOf(log, 'flood')
    const latest = Array.from({ length: requestLogLimits.most }, (_, i) => String(6499 - i))
    expect(new Set(ids)).toEqual(new Set(latest))
    expect(ids).toHaveLength(requestLogLimits.most)
  })

  test('forgets calls older than six hours', async () => {
    let now = start
    const log = await open(() => now)
    log.note(record('old', { accountId: 'old' }))
    await log.flush()
    now += requestLogLimits.keptSeconds * 1000 - 1
    expect(await idsOf(log, 'old')).toEqual(['old'])
    now += 1
    log.note(record('new', { accountId: 'old' }))
    expect(await idsOf(log, 'old')).toEqual(['new'])
  })
})

describe('gathered calls', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('are written after two seconds in one commit, and failures are reported', async () => {
    vi.useFakeTimers()
    const commit = vi.fn(async () => true)
    const failed = vi.fn()
    const log = createRequestLog({ store: { commit } as never, now: () => start, onFailure: failed })
    for (let i = 0; i < 10; i++) log.note(record(String(i)))
    await vi.advanceTimersByTimeAsync(1999)
    expect(commit).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(commit).toHaveBeenCalledTimes(1)
    commit.mockRejectedValueOnce(new Error('full') as never)
    log.note(record('lost'))
    await log.flush()
    expect(failed).toHaveBeenCalledTimes(1)
    log.note(record('next'))
    await log.flush()
    expect(commit).toHaveBeenCalledTimes(3)
  })
})
