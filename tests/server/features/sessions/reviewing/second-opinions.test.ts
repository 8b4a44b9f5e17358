import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { updateAccount } from '#shared/contract/account/account.ts'
import { deletePerson, exportPerson } from '#shared/contract/account/person.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { submitSession } from '#shared/contract/sessions/session.ts'
import { getEvidence, undoReview } from '#shared/contract/sessions/session-evidence.ts'
import { reviewSession } from '#shared/contract/sessions/session-list.ts'
import {
  getReviewCounts,
  getSecondOpinions,
  giveSecondOpinion,
} from '#shared/contract/sessions/session-reviewing.ts'
import { trueJpeg } from '../../../../support/drawn/true-jpeg.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { consent, newVerification, openSession, problemOf, resultOf } from '../../../../support/visit.ts'

type Decision = 'Pass' | 'Fail'

let host: Host
let second: string
beforeEach(async () => {
  host = await startHost()
  second = (await host.services.accounts.keys.create(host.accountId, 'Second', ['review'])).apiKey
})
afterEach(() => host.close())

const draw = (secondOpinionPercent: number) => host.call(updateAccount, { body: { secondOpinionPercent } })
const withPictures: VerificationConfig = {
  evidenceConfig: { keep: 'all', hours: 2 },
  privacyConfig: { purpose: 'To open an account' },
  verifierConfigs: { liveness: { type: 'Verification', evidence: 'optional' } },
}

async function judged(config: VerificationConfig = withPictures) {
  const opened = await openSession(host, await newVerification(host, config), 'reExternalId=anna')
  const bytes = (await trueJpeg({ person: 'anna' }, 640, 480)).toString('base64')
  const frames = [{ bytes, time: 0, challengeStep: 0 }]
  await host.call(submitSession, { bearer: opened.bearer, body: { frames, consent } })
  await host.services.evidence.settle()
  return opened
}

const decide = (verificationSessionId: string, decision: Decision = 'Pass') =>
  host.call(reviewSession, { body: { verificationSessionId, decision } })
const opine = (verificationSessionId: string, decision: Decision, apiKey = second) =>
  host.call(giveSecondOpinion, { body: { verificationSessionId, decision }, apiKey })
const waiting = async (apiKey = second) => (await host.call(getSecondOpinions, { apiKey })).sessions
const isShown = (verificationSessionId: string) =>
  host.call(getEvidence, { query: { verificationSessionId } }).then(
    () => true,
    () => false,
  )
async function counts() {
  const [from, to] = [host.now() - 24 * 3600_000, host.now() + 24 * 3600_000]
  const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  return host.call(getReviewCounts, { query })
}

test('an account that asks for none puts no review to a second reviewer, and the pictures go as ever', async () => {
  const { verificationSessionId } = await judged()
  await decide(verificationSessionId)
  expect(await waiting()).toEqual([])
  expect(await problemOf(opine(verificationSessionId, 'Pass'))).toBe('second_opinion_not_wanted')
  host.pass(10_000)
  expect(await isShown(verificationSessionId)).toBe(false)
})

test('about the given share of the reviews is drawn', async () => {
  await draw(30)
  const { verificationSessionId } = await judged({})
  let drawn = 0
  for (let i = 0; i < 200; i++) {
    const { reviewedAt } = await decide(verificationSessionId)
    drawn += (await waiting()).length
    await host.call(undoReview, { body: { verificationSessionId, reviewedAt } })
  }
  // Fewer than 25 or more than 100 of 200 is less likely than one in a million.
  expect(drawn).toBeGreaterThan(25)
  expect(drawn).toBeLessThan(100)
})

describe('a review that was drawn', () => {
  beforeEach(() => draw(100))

  test('waits for anyone but its reviewer, without showing the decision', async () => {
    const { verificationSessionId } = await judged()
    await decide(verificationSessionId, 'Fail')
    expect(await waiting()).toMatchObject([{ verificationSessionId, review: null }])
    expect(JSON.stringify(await waiting())).not.toContain('reviewedAt')
    expect(await waiting(host.apiKey)).toEqual([])
    expect(await problemOf(opine(verificationSessionId, 'Fail', host.apiKey))).toBe(
      'second_opinion_not_wanted',
    )
  })

  test('counts with its opinion, once, and stays as it is', async () => {
    const [one, other] = [await judged(), await judged()]
    for (const { verificationSessionId } of [one, other]) await decide(verificationSessionId, 'Pass')
    const before = await resultOf(host, one)
    await opine(one.verificationSessionId, 'Pass')
    await opine(other.verificationSessionId, 'Fail')
    expect(await counts()).toMatchObject({
      reviewers: [{ passed: 2, failed: 0, secondOpinions: 2, agreed: 1 }],
      agreement: { secondOpinions: 2, agreed: 1, passedThenFailed: 1, failedThenPassed: 0 },
    })
    expect(await resultOf(host, one)).toEqual(before)
    expect(await waiting()).toEqual([])
    expect(await problemOf(opine(one.verificationSessionId, 'Pass'))).toBe('second_opinion_not_wanted')
  })

  test('keeps its pictures until the second reviewer has decided, and 10 seconds more', async () => {
    const { verificationSessionId } = await judged()
    await decide(verificationSessionId)
    host.pass(60_000)
    expect(await isShown(verificationSessionId)).toBe(true)
    await opine(verificationSessionId, 'Pass')
    expect(await isShown(verificationSessionId)).toBe(true)
    host.pass(10_000)
    expect(await isShown(verificationSessionId)).toBe(false)
  })

  test('waits no longer than its pictures', async () => {
    const { verificationSessionId } = await judged()
    await decide(verificationSessionId)
    host.pass(2 * 3600_000)
    expect(await waiting()).toEqual([])
    expect(await problemOf(opine(verificationSessionId, 'Pass'))).toBe('second_opinion_not_wanted')
  })

  test('waits on if it is replaced, for anyone but the one who replaced it', async () => {
    const { verificationSessionId } = await judged()
    const { reviewedAt: ifReviewedAt } = await decide(verificationSessionId)
    const { reviewedAt } = await host.call(reviewSession, {
      body: { verificationSessionId, decision: 'Fail', ifReviewedAt },
      apiKey: second,
    })
    expect([await waiting(), (await waiting(host.apiKey)).length]).toEqual([[], 1])
    await host.call(undoReview, { body: { verificationSessionId, reviewedAt } })
    expect([(await waiting()).length, await waiting(host.apiKey)]).toEqual([1, []])
    host.pass(60_000)
    expect(await isShown(verificationSessionId)).toBe(true)
  })

  test('waits no more once it is taken back, and an opinion about it no longer counts', async () => {
    const [one, other] = [await judged(), await judged()]
    const undo = async ({ verificationSessionId }: typeof one, opinion?: Decision) => {
      const { reviewedAt } = await decide(verificationSessionId)
      if (opinion !== undefined) await opine(verificationSessionId, opinion)
      await host.call(undoReview, { body: { verificationSessionId, reviewedAt } })
    }
    await undo(one)
    await undo(other, 'Fail')
    expect(await waiting()).toEqual([])
    expect((await counts()).agreement.secondOpinions).toBe(0)
    host.pass(60_000)
    expect(await isShown(other.verificationSessionId)).toBe(true)
    await decide(other.verificationSessionId)
    expect(await waiting()).toMatchObject([{ verificationSessionId: other.verificationSessionId }])
  })

  test("is erased with the person, who finds the opinion in the person's export", async () => {
    const [one, other] = [await judged(), await judged()]
    for (const { verificationSessionId } of [one, other]) await decide(verificationSessionId)
    await opine(one.verificationSessionId, 'Fail')
    const { sessions } = await host.call(exportPerson, { query: { externalId: 'anna' } })
    const given = sessions.map(({ secondOpinion }) => secondOpinion?.decision ?? null)
    expect(new Set(given)).toEqual(new Set(['Fail', null]))
    await host.call(deletePerson, { query: { externalId: 'anna' } })
    expect(await waiting()).toEqual([])
    expect(await problemOf(opine(other.verificationSessionId, 'Pass'))).toBe('not_found')
  })
})
