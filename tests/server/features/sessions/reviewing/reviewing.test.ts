import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '#shared/contract/account/account.ts'
import { getAuditLog } from '#shared/contract/account/audit.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { reviewSession } from '#shared/contract/sessions/session-list.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { describeOnSharedStores } from '../../../../support/stores.ts'
import { newVerification, openSession, problemOf, resultOf, submit } from '../../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

async function completed() {
  const opened = await openSession(host, await newVerification(host))
  await submit(host, opened, { person: 'anna' })
  return opened
}
const review = (verificationSessionId: string, body: object, credential = {}) =>
  host.call(reviewSession, { body: { verificationSessionId, ...body } as never, ...credential })

describe('POST /v1/verification/review-session', () => {
  test('leaves the verdict in place; a review that names the current one replaces it; both are in the audit log', async () => {
    const opened = await completed()
    const id = opened.verificationSessionId
    const before = await resultOf(host, opened)
    expect(before.review).toBeNull()
    const answer = await review(id, { decision: 'Fail', note: 'x'.repeat(500) })
    const { review: said, ...rest } = await resultOf(host, opened)
    expect({ ...rest, review: null }).toEqual(before)
    expect(said).toMatchObject({ decision: 'Fail', note: 'x'.repeat(500) })
    expect(answer).toEqual({ reviewedAt: said!.reviewedAt })
    expect(Math.abs(Date.parse(said!.reviewedAt) - host.now())).toBeLessThan(5000)
    await review(id, { decision: 'Pass', ifReviewedAt: said!.reviewedAt })
    expect((await resultOf(host, opened)).review).toMatchObject({ decision: 'Pass', note: null })
    const { entries } = await host.call(getAuditLog, { query: {} as never })
    const noted = entries.filter(({ operation }) => operation === 'reviewSession')
    expect(noted).toHaveLength(2)
    expect(said!.by).toBe(noted[0]!.actor.keyId)
    expect(JSON.stringify(noted)).not.toContain(id)
  })

  test('refuses an open session with 409, an unknown one with 404, a longer note with 400', async () => {
    const { verificationSessionId } = await openSession(host, await newVerification(host))
    await expect(review(verificationSessionId, { decision: 'Pass' })).rejects.toMatchObject({
      code: 'session_not_completed',
      status: 409,
    })
    expect(await problemOf(review('x', { decision: 'Pass' }))).toBe('not_found')
    await expect(review('x', { decision: 'Pass', note: 'x'.repeat(501) })).rejects.toMatchObject({
      errors: [{ pointer: '#/note' }],
    })
    await expect(review('x', { decision: 'passed' })).rejects.toMatchObject({
      errors: [{ pointer: '#/decision' }],
    })
  })

  test('is refused with 409 if another review came meanwhile, and then changes nothing', async () => {
    const opened = await completed()
    const id = opened.verificationSessionId
    const stands = async () => (await resultOf(host, opened)).review
    const refused = { code: 'already_reviewed', status: 409 }
    await expect(
      review(id, { decision: 'Fail', ifReviewedAt: '2026-01-31T12:00:00Z' }),
    ).rejects.toMatchObject(refused)
    expect(await stands()).toBeNull()
    await review(id, { decision: 'Fail', note: 'first', ifReviewedAt: null })
    const first = await stands()
    for (const unseen of [{}, { ifReviewedAt: null }, { ifReviewedAt: '2026-01-31T12:00:00Z' }])
      await expect(review(id, { decision: 'Pass', ...unseen })).rejects.toMatchObject(refused)
    expect(await stands()).toEqual(first)
    const elsewhere = first!.reviewedAt.replace('Z', '+00:00')
    const { reviewedAt } = await review(id, { decision: 'Pass', ifReviewedAt: elsewhere })
    expect((await stands())!.reviewedAt).toBe(reviewedAt)
    await expect(review(id, { decision: 'Fail', ifReviewedAt: first!.reviewedAt })).rejects.toMatchObject(
      refused,
    )
    expect(await stands()).toMatchObject({ decision: 'Pass', note: null })
    await expect(review(id, { decision: 'Pass', ifReviewedAt: 'yesterday' })).rejects.toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ pointer: '#/ifReviewedAt' })]),
    })
  })

  test('has a time that no other review of the session has, however fast one follows the other', async () => {
    const still = Date.now()
    const own = await startHost({ ports: { now: () => still } })
    const opened = await openSession(own, await newVerification(own))
    await submit(own, opened, { person: 'anna' })
    const { verificationSessionId } = opened
    const times: string[] = []
    for (let ifReviewedAt: string | null = null; times.length < 4; ifReviewedAt = times.at(-1)!) {
      await own.call(reviewSession, { body: { verificationSessionId, decision: 'Pass', ifReviewedAt } })
      times.push((await resultOf(own, opened)).review!.reviewedAt)
    }
    expect(new Set(times).size).toBe(4)
    expect(times).toEqual(times.toSorted())
    await own.close()
  })

  test('repeated under its Idempotency-Key is answered as before, and is not another review', async () => {
    const opened = await completed()
    const send = async () => {
      const answer = await host.fetch('/v1/verification/review-session', {
        method: 'POST',
        headers: {
          authorization: `ApiKey ${host.apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': 'one review',
        },
        body: JSON.stringify({ verificationSessionId: opened.verificationSessionId, decision: 'Pass' }),
      })
      return [answer.status, answer.headers.get('idempotency-replayed'), await answer.json()]
    }
    const first = await send()
    const { review: said } = await resultOf(host, opened)
    expect(first).toEqual([200, null, { reviewedAt: said!.reviewedAt }])
    expect(await send()).toEqual([200, 'true', { reviewedAt: said!.reviewedAt }])
    expect((await resultOf(host, opened)).review).toEqual(said)
  })

  test('needs the scope review, which the first key has, an admin key may grant and no bearer carries', async () => {
    const { verificationSessionId: id } = await completed()
    const { token } = await host.call(getToken, { query: {} })
    expect(await problemOf(review(id, { decision: 'Pass' }, { bearer: token }))).toBe('forbidden')
    const keyWith = async (...scopes: never[]) =>
      (await host.call(createKey, { body: { name: 'k', scopes } })).apiKey
    const every = ['admin', 'configure', 'analyse', 'tokens'] as never[]
    expect(await problemOf(review(id, { decision: 'Pass' }, { apiKey: await keyWith(...every) }))).toBe(
      'forbidden',
    )
    expect(await review(id, { decision: 'Pass' }, { apiKey: await keyWith('review' as never) })).toEqual({
      reviewedAt: expect.any(String),
    })
  })
})

describeOnSharedStores('twelve concurrent reviews at three processes', (shared) => {
  test('leave the first in place: one is answered 200, the others 409', async () => {
    const hosts = await Promise.all([0, 1, 2].map(async () => startHost({ store: await shared.open() })))
    const [own] = hosts as [Host, ...Host[]]
    const opened = await openSession(own, await newVerification(own))
    await submit(own, opened, { person: 'anna' })
    const { verificationSessionId } = opened
    const decide = async (i: number) => {
      const body = { verificationSessionId, decision: i % 2 ? 'Pass' : 'Fail', note: `note ${i}` } as const
      const answer = await problemOf(hosts[i % 3]!.call(reviewSession, { body, apiKey: own.apiKey }))
      return { note: body.note, answer }
    }
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => decide(i)))
    const taken = answers.filter(({ answer }) => answer === 'no problem')
    expect(answers.filter(({ answer }) => answer === 'already_reviewed')).toHaveLength(11)
    expect(taken).toHaveLength(1)
    expect((await resultOf(own, opened)).review!.note).toBe(taken[0]!.note)
    for (const host of hosts) await host.close()
  })
})
