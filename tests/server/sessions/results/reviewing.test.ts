import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '#shared/contract/account/account.ts'
import { getAuditLog } from '#shared/contract/account/audit.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { reviewSession } from '#shared/contract/sessions/session-list.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { newVerification, openSession, problemOf, resultOf, submit } from '../../../support/visit.ts'

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
  test('stands beside the verdict, which stays; a later one takes its place; both are in the audit log', async () => {
    const opened = await completed()
    const id = opened.verificationSessionId
    const before = await resultOf(host, opened)
    expect(before.review).toBeNull()
    expect(await review(id, { decision: 'Fail', note: 'x'.repeat(500) })).toEqual({})
    const { review: said, ...rest } = await resultOf(host, opened)
    expect({ ...rest, review: null }).toEqual(before)
    expect(said).toMatchObject({ decision: 'Fail', note: 'x'.repeat(500) })
    expect(Math.abs(Date.parse(said!.reviewedAt) - host.now())).toBeLessThan(5000)
    await review(id, { decision: 'Pass' })
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
    expect(await review(id, { decision: 'Pass' }, { apiKey: await keyWith('review' as never) })).toEqual({})
  })
})
