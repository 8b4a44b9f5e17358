import { afterEach, beforeEach, expect, test } from 'vitest'
import { getAuditLog } from '#shared/contract/account/audit.ts'
import { undoReview } from '#shared/contract/sessions/session-evidence.ts'
import { getSessions, reviewSession } from '#shared/contract/sessions/session-list.ts'
import { assignReview, getReviewCounts } from '#shared/contract/sessions/session-reviewing.ts'
import { type Host, startHost } from '../../../../../support/host.ts'
import { newVerification, openSession, submit } from '../../../../../support/visit.ts'

let host: Host
beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

async function failed() {
  const opened = await openSession(host, await newVerification(host))
  await submit(host, opened, { person: null })
  return opened.verificationSessionId
}

const assign = (ids: string[], reviewer: string | null) =>
  host.call(assignReview, { body: { verificationSessionIds: ids, reviewer } })
const of = async (assignedTo: string) =>
  (await host.call(getSessions, { query: { assignedTo } })).sessions.map((one) => one.verificationSessionId)

test('sessions are assigned, listed by reviewer, and taken away; open and unknown ones are left out', async () => {
  const [one, other] = [await failed(), await failed()]
  const open = await openSession(host, await newVerification(host))
  const ids = [one, other, open.verificationSessionId, 'unknown', one]
  expect(await assign(ids, 'Kim')).toEqual({ count: 2 })
  expect(new Set(await of('Kim'))).toEqual(new Set([one, other]))
  expect(await of('Jo')).toEqual([])
  await assign([other], 'Jo')
  await assign([one], null)
  expect([await of('Kim'), await of('Jo')]).toEqual([[], [other]])
  const { sessions } = await host.call(getSessions, { query: { verificationSessionId: other } })
  expect(sessions[0]?.assignedTo).toBe('Jo')
})

test('the audit log says which sessions were assigned', async () => {
  const ids = [await failed(), await failed()]
  const entries = async () => (await host.call(getAuditLog, { query: { limit: 10 } })).entries
  const completed = (await entries()).filter(({ operation }) => operation === 'completeSession')
  await assign(ids, 'Kim')
  const [{ operation, resources } = { operation: '', resources: {} }] = await entries()
  expect(operation).toBe('assignReview')
  const named = new Set(Object.values(resources).flatMap((value) => value.split(' ')))
  expect(named).toEqual(new Set(completed.map((entry) => entry.resources.session)))
})

test('decisions count by reviewer on their day, an undone one does not', async () => {
  const { key, apiKey } = await host.services.accounts.keys.create(host.accountId, 'Jo', [
    'review',
    'configure',
  ])
  const decide = async (decision: 'Pass' | 'Fail', byKey?: string) => {
    const verificationSessionId = await failed()
    const body = { verificationSessionId, decision }
    const { reviewedAt } = await host.call(reviewSession, { body, ...(byKey && { apiKey: byKey }) })
    return { verificationSessionId, reviewedAt }
  }
  await decide('Fail')
  await decide('Pass')
  await decide('Pass', apiKey)
  await host.call(undoReview, { body: await decide('Fail') })
  const counts = async (from: number, to: number) => {
    const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    return (await host.call(getReviewCounts, { query })).reviewers
  }
  const [now, day] = [host.now(), 24 * 3600_000]
  const found = await counts(now - day, now + day)
  expect(found).toMatchObject([
    { passed: 1, failed: 1 },
    { by: key.keyId, passed: 1, failed: 0 },
  ])
  expect(await counts(now - 3 * day, now - 2 * day)).toEqual([])
})
