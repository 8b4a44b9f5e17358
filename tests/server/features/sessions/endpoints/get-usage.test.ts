import { afterEach, describe, expect, test } from 'vitest'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { cancelSession } from '#shared/contract/sessions/session-list.ts'
import { getUsage, type UsageCounts } from '#shared/contract/sessions/session-usage.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newVerification, openSession, step, submit } from '../../../../support/visit.ts'

const hour = 3600_000
const day = 24 * hour
const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

/** A host at the start of an hour and a day, so that no test begins in one and ends in the next. */
async function start(): Promise<Host> {
  const host = await startHost()
  hosts.push(host)
  host.pass(day - (host.now() % day) + 1000)
  return host
}

const at = (milliseconds: number) => new Date(milliseconds).toISOString()
const usage = async (host: Host, more: object = {}): Promise<UsageCounts[]> => {
  const query = { from: at(host.now() - 1), to: at(host.now() + 1), interval: 'day', ...more }
  return (await host.call(getUsage, { query: query as never })).intervals
}

describe('GET /v1/verification/get-usage', () => {
  test('counts how far visits came, their outcomes, their devices and their duration', async () => {
    const host = await start()
    const verificationId = await newVerification(host, {
      verifierConfigs: { gender: { type: 'CalculationOnly' } },
    })
    await openSession(host, verificationId)
    const half = await openSession(host, verificationId)
    await step(host, half, 0, { person: 'anna' })
    await step(host, half, 0, { person: 'anna' })
    for (const seconds of [10, 40, 30]) {
      const opened = await openSession(host, verificationId)
      host.pass(seconds * 1000)
      await submit(host, opened, { person: 'anna' })
      await submit(host, opened, { person: 'anna' })
    }
    const verifierConfigs = { liveness: { type: 'Verification' as const } }
    const failed = await host.call(createSession, { body: { verifierConfigs } })
    host.pass(20_000)
    await submit(host, { ...failed, bearer: failed.sessionToken }, { person: null })
    const { verificationSessionId } = await host.call(createSession, { body: { verifierConfigs } })
    await host.call(cancelSession, { body: { verificationSessionId } })

    const [counts] = await usage(host)
    expect(counts).toMatchObject({
      from: at(Math.floor(host.now() / day) * day),
      states: { opened: 7, consented: 5, firstPicture: 5, submitted: 4 },
      results: { Pass: 3, Fail: 2 },
      reasons: { noFace: 1, sessionExpired: 1, ageNotMet: 0 },
      sources: { link: 5, api: 2, kiosk: 0 },
      assurances: { none: 5, low: 0, standard: 0, high: 0 },
      medianDurationInSeconds: 25,
    })
    const [own] = await usage(host, { verificationId })
    expect(own).toMatchObject({
      states: { opened: 5 },
      results: { Pass: 3, Fail: 0 },
      medianDurationInSeconds: 30,
    })
    const [none] = await usage(host, { verificationId: 'unknown' })
    expect(none).toMatchObject({ states: { opened: 0 }, medianDurationInSeconds: null })
  })

  test('returns every hour from that of `from` to the last before `to`, including empty ones', async () => {
    const host = await start()
    const verificationId = await newVerification(host)
    const begun = host.now()
    await openSession(host, verificationId)
    host.pass(2 * hour)
    await openSession(host, verificationId)
    const found = await usage(host, { from: at(begun), to: at(begun + 3 * hour), interval: 'hour' })
    expect(found.map(({ from }) => Date.parse(from) % hour)).toEqual([0, 0, 0, 0])
    expect(found.map(({ states }) => states.opened)).toEqual([1, 0, 1, 0])
    expect(
      await usage(host, { from: at(begun), to: at(Math.ceil(begun / hour) * hour), interval: 'hour' }),
    ).toHaveLength(1)
    expect(await usage(host, { from: at(begun), to: at(begun + day) })).toHaveLength(2)
  })

  test('keeps counts for 400 days, long after the sessions, separately for each account', async () => {
    const host = await start()
    const begun = host.now()
    await openSession(host, await newVerification(host))
    const opened = async () => (await usage(host, { from: at(begun), to: at(begun + 1) }))[0]!.states.opened
    host.pass(400 * day - 5000)
    expect(await opened()).toBe(1)
    const { apiKey } = await host.services.accounts.create('Other')
    const query = { from: at(begun), to: at(begun + 1), interval: 'day' } as never
    expect((await host.call(getUsage, { query, apiKey })).intervals[0]!.states.opened).toBe(0)
    host.pass(10_000)
    expect(await opened()).toBe(0)
  })

  test.each([
    [{ interval: 'week' }, '#/query/interval'],
    [{ interval: undefined }, '#/query/interval'],
    [{ from: undefined }, '#/query/from'],
    [{ to: undefined }, '#/query/to'],
    [{ from: 'today' }, '#/query/from'],
    [{ from: '2027-01-02', to: '2027-01-02' }, '#/query/to'],
    [{ from: '2027-01-01', to: '2028-02-05T00:00:01Z' }, '#/query/to'],
  ])('refuses %j', async (more, pointer) => {
    const host = await start()
    await expect(usage(host, more)).rejects.toMatchObject({ code: 'invalid_request', errors: [{ pointer }] })
  })

  test('accepts 400 days', async () => {
    const host = await start()
    expect(await usage(host, { from: '2027-01-01', to: '2028-02-05T00:00:00Z' })).toHaveLength(400)
  })
})
