import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeEntries } from '#lab/bench/start/audit-entries.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import { type AuditDeployment, eventOf, newAuditDeployment } from '../../../support/audit/deployment.ts'

let at: AuditDeployment
beforeEach(async () => {
  at = await newAuditDeployment()
})
afterEach(() => at.close())

test('entries written for a measurement are valid, can be continued, and are compared from their end only', async () => {
  await at.log.move('all')
  await makeEntries(at.log.book, at.accountId, 12_500)
  const log = at.open()
  await log.append(at.accountId, eventOf('later'))
  await log.move('all')
  expect(await log.verify(at.accountId)).toMatchObject({ valid: true, checked: 12_502 })
  expect(await at.open().verifyRecent(at.accountId)).toMatchObject({ valid: true })
  const frames = await allOf(log.book.segments.ascending(at.accountId, 0))
  expect(frames.filter(({ kind }) => kind === 'checkpoint').length).toBeGreaterThanOrEqual(13)
})
