import { afterEach, describe, expect, test } from 'vitest'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { deletePerson, exportPerson } from '#shared/contract/account/person.ts'
import { updateVerification } from '#shared/contract/configuration/verification.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { getSessions, reviewSession } from '#shared/contract/sessions/session-list.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newVerification, openSession, resultOf, submit } from '../../../../support/visit.ts'

const day = 24 * 3600_000
const gender = { verifierConfigs: { gender: { type: 'CalculationOnly' } } } as const
const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

async function start(): Promise<Host> {
  const host = await startHost()
  hosts.push(host)
  return host
}

const listOf = async (host: Host, query: object = {}) =>
  (await host.call(getSessions, { query: query as never })).sessions
const idsOf = async (host: Host, query: object = {}) =>
  (await listOf(host, query)).map(({ verificationSessionId }) => verificationSessionId)

/** A person passes a visit to a verification with this number of days. */
async function visited(host: Host, days: number | undefined, externalId = 'anna') {
  const historyConfig = days === undefined ? {} : { historyConfig: { days } }
  const verificationId = await newVerification(host, { ...gender, ...historyConfig })
  const opened = await openSession(host, verificationId, `reExternalId=${externalId}&reCorrelationId=c&a=1`)
  await submit(host, opened, { person: 'anna' })
  return { verificationId, opened, verificationSessionId: opened.verificationSessionId }
}

async function change(host: Host, verificationId: string, days: number | undefined): Promise<void> {
  const historyConfig = days === undefined ? {} : { historyConfig: { days } }
  const verificationConfig = { ...gender, ...historyConfig }
  await host.call(updateVerification, { body: { verificationId, name: verificationId, verificationConfig } })
}

describe('historyConfig.days', () => {
  test.each([
    [6, false],
    [7, true],
    [400, true],
    [401, false],
    [30.5, false],
    ['30', false],
    [null, true],
  ])('%o is accepted: %s', async (days, isTaken) => {
    const host = await start()
    const made = newVerification(host, { historyConfig: { days } } as never)
    if (isTaken) await expect(made).resolves.toEqual(expect.any(String))
    else
      await expect(made).rejects.toMatchObject({
        status: 400,
        errors: [{ pointer: '#/verificationConfig/historyConfig/days' }],
      })
  })

  test('refuses unknown names', async () => {
    const host = await start()
    await expect(newVerification(host, { historyConfig: { day: 30 } } as never)).rejects.toMatchObject({
      code: 'unknown_name',
      errors: [{ pointer: '#/verificationConfig/historyConfig/day' }],
    })
  })

  test('lists a session for its days from its creation, its result for 7', async () => {
    const host = await start()
    const { opened, verificationSessionId } = await visited(host, 30)
    const [listed] = await listOf(host)
    host.pass(7 * day - 60_000)
    expect((await resultOf(host, opened)).verificationResult).toBe('Pass')
    host.pass(120_000)
    await expect(resultOf(host, opened)).rejects.toMatchObject({ status: 404 })
    const query = { verificationSessionId }
    await expect(host.call(getSessionResult, { query })).rejects.toMatchObject({ status: 404 })
    const body = { verificationSessionId, decision: 'Pass' } as const
    await expect(host.call(reviewSession, { body })).rejects.toMatchObject({ status: 404 })
    expect(await listOf(host)).toEqual([listed])
    expect(await listOf(host, { externalId: 'anna', verificationResult: 'Pass' })).toEqual([listed])
    host.pass(23 * day - 180_000)
    expect(await idsOf(host)).toEqual([verificationSessionId])
    host.pass(180_000)
    expect(await idsOf(host)).toEqual([])
    await host.store.sweep()
    for await (const { key } of host.store.list('session-past/')) expect(key).toBe('none')
  })

  test('a row contains neither age, nor gender, nor face, nor parameters once the result is gone', async () => {
    const host = await start()
    await visited(host, 30)
    host.pass(8 * day)
    const [row] = await listOf(host)
    expect(Object.keys(row!)).not.toContain('customInputParameters')
    expect(JSON.stringify(row)).not.toMatch(/age|gender|embedding|face/i)
  })

  test('is 7 by default, and for ad hoc sessions', async () => {
    const host = await start()
    await visited(host, undefined)
    await visited(host, 7)
    await host.call(createSession, { body: gender as never })
    host.pass(20 * 60_000)
    await host.services.expireOverdue()
    expect(await idsOf(host)).toHaveLength(3)
    for await (const { key } of host.store.list('session-past/')) expect(key).toBe('none')
    host.pass(7 * day)
    expect(await idsOf(host)).toEqual([])
  })

  test('an expired session is listed for the same time, and a review as it was decided, without its note', async () => {
    const host = await start()
    const { verificationId, verificationSessionId } = await visited(host, 90)
    await host.call(reviewSession, { body: { verificationSessionId, decision: 'Fail', note: 'Not her.' } })
    const [fresh] = await listOf(host, { review: 'reviewed' })
    expect(fresh!.review).toMatchObject({ decision: 'Fail', note: 'Not her.' })
    const left = await openSession(host, verificationId)
    host.pass(3600_000)
    await host.services.expireOverdue()
    host.pass(30 * day)
    expect(await idsOf(host, { state: 'Expired' })).toEqual([left.verificationSessionId])
    const [decided] = await listOf(host, { review: 'reviewed' })
    expect(decided).toMatchObject({ verificationSessionId, review: { ...fresh!.review, note: null } })
    const { pastSessions } = await host.call(exportPerson, { query: { externalId: 'anna' } })
    expect(pastSessions.map(({ review }) => review)).toContainEqual({ ...fresh!.review, note: null })
    expect(await idsOf(host, { review: 'waiting' })).toEqual([])
  })

  test('no row that outlives its session contains the note of a review, not even sealed', async () => {
    const host = await start()
    const { verificationSessionId } = await visited(host, 400)
    await host.call(reviewSession, { body: { verificationSessionId, decision: 'Fail', note: 'Not her.' } })
    const keyRing = createKeyRing(Buffer.alloc(32, 7), 'EU')
    const rows: string[] = []
    for await (const { key, value } of host.store.list('session-past/'))
      if (value.length > 1) rows.push(String(keyRing.open('session-past', key, String(Buffer.from(value)))))
    expect(rows).toEqual([expect.stringContaining('"decision":"Fail"')])
    expect(rows[0]).not.toContain('Not her.')
  })

  test('fewer days apply to existing rows at the next sweep; more days do not', async () => {
    const host = await start()
    const { verificationId, verificationSessionId } = await visited(host, 100)
    host.pass(20 * day)
    await change(host, verificationId, 400)
    expect(await host.services.shortenHistory()).toBe(0)
    await change(host, verificationId, 21)
    expect(await host.services.shortenHistory()).toBe(0)
    expect(await idsOf(host)).toEqual([verificationSessionId])
    await change(host, verificationId, 10)
    expect(await idsOf(host)).toEqual([verificationSessionId])
    expect(await host.services.shortenHistory()).toBe(1)
    expect(await idsOf(host)).toEqual([])
    for await (const { key } of host.store.list('session-past/')) expect(key).toBe('none')
  })

  test('a row is deleted after its original days, even if they were raised since', async () => {
    const host = await start()
    const { verificationId } = await visited(host, 10)
    await change(host, verificationId, 400)
    host.pass(10 * day + 1000)
    expect(await idsOf(host)).toEqual([])
  })

  test('a session keeps the days of the configuration with which it began', async () => {
    const host = await start()
    const verificationId = await newVerification(host, { ...gender, historyConfig: { days: 60 } })
    const opened = await openSession(host, verificationId)
    await change(host, verificationId, undefined)
    await submit(host, opened, { person: 'anna' })
    host.pass(8 * day)
    expect(await idsOf(host)).toEqual([opened.verificationSessionId])
    expect(await host.services.shortenHistory()).toBe(1)
    expect(await idsOf(host)).toEqual([])
  })

  test('the plan states the days if they are more than 7, for the consent', async () => {
    const host = await start()
    expect((await visited(host, 30)).opened.capturePlan.history).toEqual({ days: 30 })
    expect((await visited(host, 7)).opened.capturePlan).not.toHaveProperty('history')
    expect((await visited(host, undefined)).opened.capturePlan).not.toHaveProperty('history')
  })
})

describe('a person in the history', () => {
  test('is exported with the days, and erased at once whatever the days', async () => {
    const host = await start()
    const old = await visited(host, 400, 'anna')
    const other = await visited(host, 400, 'berta')
    host.pass(30 * day)
    const fresh = await visited(host, 60, 'anna')
    const query = { externalId: 'anna' }
    const found = await host.call(exportPerson, { query })
    expect(found.pastSessions).toMatchObject([
      { verificationSessionId: old.verificationSessionId, listedForDays: 400, verificationResult: 'Pass' },
    ])
    expect(found.sessions).toMatchObject([
      { verificationSessionId: fresh.verificationSessionId, listedForDays: 60 },
    ])
    expect(await host.call(deletePerson, { query })).toMatchObject({ sessionsDeleted: 2 })
    expect(await idsOf(host)).toEqual([other.verificationSessionId])
    expect((await host.call(exportPerson, { query })).pastSessions).toEqual([])
    host.pass(30 * day)
    expect(await idsOf(host)).toEqual([other.verificationSessionId])
  })

  test('erased under one form of the id is erased under the other', async () => {
    const host = await start()
    await visited(host, 60, encodeURIComponent('Ame\u0301lie'))
    host.pass(10 * day)
    await host.call(deletePerson, { query: { externalId: 'Am\u00e9lie' } })
    expect(await idsOf(host)).toEqual([])
  })
})
