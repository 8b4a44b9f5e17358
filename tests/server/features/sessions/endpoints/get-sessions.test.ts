import { afterEach, describe, expect, test } from 'vitest'
import { createVerification, deleteVerification } from '#shared/contract/configuration/verification.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { cancelSession, getSessions, reviewSession } from '#shared/contract/sessions/session-list.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newVerification, openSession, submit } from '../../../../support/visit.ts'

const day = 24 * 3600_000
const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

async function start(options: Parameters<typeof startHost>[0] = {}): Promise<Host> {
  const host = await startHost(options)
  hosts.push(host)
  return host
}

type Query = Parameters<typeof list>[1]
const list = (host: Host, query: Record<string, string | number> = {}) =>
  host.call(getSessions, { query: query as never })
const idsOf = async (host: Host, query?: Query) =>
  (await list(host, query)).sessions.map(({ verificationSessionId }) => verificationSessionId)

async function create(host: Host, body: object = {}): Promise<string> {
  host.pass(1)
  const verifierConfigs = { gender: { type: 'CalculationOnly' } }
  const opened = await host.call(createSession, { body: { verifierConfigs, ...body } as never })
  return opened.verificationSessionId
}

describe('GET /v1/verification/get-sessions', () => {
  test('lists an open session with its known values, and null for the rest', async () => {
    const host = await start()
    const before = host.now()
    const verificationSessionId = await create(host)
    const { sessions, cursor } = await list(host)
    expect(cursor).toBeNull()
    expect(sessions).toEqual([
      {
        verificationSessionId,
        verificationId: null,
        verificationName: null,
        state: 'Created',
        outcome: 'open',
        assignedTo: null,
        verificationResult: null,
        verificationFailedReasons: null,
        externalId: null,
        correlationId: null,
        source: 'api',
        environment: 'live',
        assurance: null,
        tries: 0,
        findings: null,
        createdAt: expect.any(String),
        completedAt: null,
        review: null,
      },
    ])
    expect(Date.parse(sessions[0]!.createdAt)).toBeGreaterThanOrEqual(before)
  })

  test('lists a completed session with everything, under the current name of its verification', async () => {
    const host = await start()
    const body = {
      name: 'Sign-up',
      verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
    }
    const { verificationId } = await host.call(createVerification, { body: body as never })
    const opened = await openSession(host, verificationId, 'reExternalId=u&reCorrelationId=c')
    await submit(host, opened, { person: null })
    const { verificationSessionId } = opened
    await host.call(reviewSession, { body: { verificationSessionId, decision: 'Pass', note: 'n' } })
    const [session] = (await list(host)).sessions
    expect(session).toMatchObject({
      verificationId,
      verificationName: 'Sign-up',
      state: 'Completed',
      verificationResult: 'Fail',
      verificationFailedReasons: expect.arrayContaining(['noFace']),
      externalId: 'u',
      correlationId: 'c',
      source: 'link',
      assurance: 'none',
      tries: 1,
      findings: [],
      review: { decision: 'Pass', note: 'n', reviewedAt: expect.any(String), by: expect.any(String) },
    })
    expect(Date.parse(session!.completedAt!)).toBeGreaterThanOrEqual(Date.parse(session!.createdAt))
    await host.call(deleteVerification, { query: { verificationId } })
    expect((await list(host)).sessions[0]).toMatchObject({ verificationId, verificationName: null })
  })

  test('filters by each of its filters, and by all of them together', async () => {
    const host = await start()
    const verificationId = await newVerification(host)
    const first = await create(host, { externalId: 'anna', correlationId: 'c1' })
    const from = host.now() + 1
    const second = await create(host, { verificationId, externalId: 'bert', verifierConfigs: undefined })
    const opened = await openSession(host, verificationId, 'reCorrelationId=c3')
    await submit(host, opened, { person: 'anna' })
    const third = opened.verificationSessionId
    host.pass(1)
    const cancelled = await create(host, { externalId: 'anna' })
    await host.call(cancelSession, { body: { verificationSessionId: cancelled } })
    const at = (milliseconds: number) => new Date(milliseconds).toISOString()
    const createdOf = async (id: string) =>
      (await list(host)).sessions.find((one) => one.verificationSessionId === id)!.createdAt

    expect(await idsOf(host)).toEqual([cancelled, third, second, first])
    expect(await idsOf(host, { verificationId })).toEqual([third, second])
    expect(await idsOf(host, { state: 'Created' })).toEqual([second, first])
    expect(await idsOf(host, { state: 'Completed' })).toEqual([third])
    expect(await idsOf(host, { state: 'Expired' })).toEqual([cancelled])
    expect(await idsOf(host, { verificationResult: 'Pass' })).toEqual([third])
    expect(await idsOf(host, { verificationResult: 'Fail' })).toEqual([cancelled])
    expect(await idsOf(host, { failedReason: 'sessionExpired' })).toEqual([cancelled])
    expect(await idsOf(host, { failedReason: 'noFace' })).toEqual([])
    expect(await idsOf(host, { externalId: 'anna' })).toEqual([cancelled, first])
    expect(await idsOf(host, { correlationId: 'c3' })).toEqual([third])
    expect(await idsOf(host, { source: 'link' })).toEqual([third])
    expect(await idsOf(host, { source: 'api' })).toEqual([cancelled, second, first])
    expect(await idsOf(host, { source: 'kiosk' })).toEqual([])
    expect(await idsOf(host, { verificationSessionId: second })).toEqual([second])
    expect(await idsOf(host, { verificationSessionId: second, source: 'link' })).toEqual([])
    expect(await idsOf(host, { review: 'waiting' })).toEqual([third])
    expect(await idsOf(host, { review: 'reviewed' })).toEqual([])
    for (const name of ['verificationSessionId', 'verificationId', 'externalId', 'correlationId', 'kioskId'])
      expect(await idsOf(host, { [name]: 'unknown' })).toEqual([])
    const created = await createdOf(second)
    expect(await idsOf(host, { createdFrom: created })).toEqual([cancelled, third, second])
    expect(await idsOf(host, { createdTo: created })).toEqual([first])
    expect(await idsOf(host, { createdFrom: at(from), createdTo: at(Date.parse(created) + 1) })).toEqual([
      second,
    ])
    const all = { externalId: 'anna', state: 'Expired', failedReason: 'sessionExpired', source: 'api' }
    expect(await idsOf(host, all)).toEqual([cancelled])
    expect(await idsOf(host, { ...all, state: 'Created' })).toEqual([])
  })

  test.each([
    ['state', 'created', 'state'],
    ['verificationResult', 'passed', 'verificationResult'],
    ['failedReason', 'nobody', 'failedReason'],
    ['source', 'web', 'source'],
    ['review', 'Pass', 'review'],
    ['order', 'oldest', 'order'],
    ['createdFrom', 'yesterday', 'createdFrom'],
    ['createdTo', '2027-02-30', 'createdTo'],
    ['limit', '0', 'limit'],
    ['limit', '101', 'limit'],
    ['cursor', 'x', 'cursor'],
    ['cursor', '', 'cursor'],
  ])('refuses %s=%s', async (name, value, at) => {
    const host = await start()
    await expect(list(host, { [name]: value })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: `#/query/${at}` }],
    })
  })

  test.each([
    ['status', 'Created', 'state'],
    ['Limit', '1', 'limit'],
  ])('refuses %s=%s as an unknown filter, and names the nearest one', async (name, value, nearest) => {
    const host = await start()
    await expect(list(host, { [name]: value })).rejects.toMatchObject({
      code: 'unknown_name',
      errors: [{ pointer: `#/query/${name}`, message: `Is not a known name: did you mean ${nearest}?` }],
    })
  })

  test('pages by 20 by default, and by 1 to 100', async () => {
    const host = await start()
    const made: string[] = []
    for (let i = 0; i < 102; i++) made.unshift(await create(host))
    const first = await list(host)
    expect(first.sessions).toHaveLength(20)
    expect(first.cursor).not.toBeNull()
    for (const limit of [1, 7, 100, 34]) {
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Awaited<ReturnType<typeof list>> = await list(host, {
          limit,
          ...(cursor !== '' && { cursor }),
        })
        seen.push(...page.sessions.map(({ verificationSessionId }) => verificationSessionId))
        cursor = page.cursor
      }
      expect(seen).toEqual(made)
    }
  })

  test('omits nothing that matched at the first page, even if it has changed since', async () => {
    const host = await start()
    const made: string[] = []
    for (let i = 0; i < 6; i++) made.unshift(await create(host))
    const first = await list(host, { state: 'Created', limit: 2 })
    for (const verificationSessionId of made.slice(2))
      await host.call(cancelSession, { body: { verificationSessionId } })
    await create(host)
    const rest = await list(host, { state: 'Created', limit: 10, cursor: first.cursor! })
    expect(rest.sessions.map(({ verificationSessionId }) => verificationSessionId)).toEqual(made.slice(2))
    expect(rest.cursor).toBeNull()
    expect(await idsOf(host, { state: 'Created' })).toHaveLength(3)
  })

  test('lists the least certain first on request, without reviewed ones', async () => {
    const host = await start()
    const config = { verifierConfigs: { liveness: { type: 'Verification' } } }
    const { verificationId } = await host.call(createVerification, {
      body: { name: 'n', verificationConfig: config } as never,
    })
    const visit = async (person: string | null) => {
      host.pass(1)
      const opened = await openSession(host, verificationId)
      await submit(host, opened, { person })
      return opened.verificationSessionId
    }
    const failed = await visit(null)
    const reviewed = await visit(null)
    const later = await visit(null)
    const passed = await create(host)
    await host.call(reviewSession, { body: { verificationSessionId: reviewed, decision: 'Fail' } })
    const query = { review: 'waiting', order: 'leastCertain' }
    expect(await idsOf(host, query)).toEqual([later, failed])
    expect(await idsOf(host, { review: 'reviewed' })).toEqual([reviewed])
    expect((await idsOf(host, { order: 'leastCertain' })).at(-1)).toBe(passed)
    const first = await list(host, { ...query, limit: 1 })
    expect(await idsOf(host, { ...query, limit: 1, cursor: first.cursor! })).toEqual([failed])
    for (const order of ['newest', 'leastCertain']) {
      const other = await list(host, { limit: 1, order: order === 'newest' ? 'leastCertain' : 'newest' })
      await expect(list(host, { order, cursor: other.cursor! })).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '#/query/cursor' }],
      })
    }
  })

  test('forgets a session after 7 days, and at once with its person', async () => {
    const host = await start()
    await create(host, { externalId: 'anna' })
    const kept = await create(host)
    await host.fetch('/v1/person/delete?externalId=anna', {
      method: 'DELETE',
      headers: { Authorization: `ApiKey ${host.apiKey}` },
    })
    expect(await idsOf(host)).toEqual([kept])
    host.pass(7 * day - 1000)
    expect(await idsOf(host)).toEqual([kept])
    host.pass(2000)
    expect(await idsOf(host)).toEqual([])
  })

  test('shows nothing of another account', async () => {
    const host = await start()
    await create(host)
    const { apiKey } = await host.services.accounts.create('Other')
    expect((await host.call(getSessions, { query: {}, apiKey })).sessions).toEqual([])
  })
})
