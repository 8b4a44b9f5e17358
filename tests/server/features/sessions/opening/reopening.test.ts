import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { getSession, initRedirectSession } from '#shared/contract/sessions/session.ts'
import { cancelHandoff, createHandoff, takeHandoff } from '#shared/contract/sessions/session-handoff.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newVerification, problemOf, signedQuery, step, submit } from '../../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const own = 'A'.repeat(43)
const another = `${'A'.repeat(42)}B`

/** A link with a nonce that lasts 100 seconds, opened either with or without a secret. */
async function openedLink(
  resumeSecret?: string,
  settings = { enableNonce: true, expirationInSeconds: 100 },
  config: VerificationConfig = {},
) {
  const verificationId = await newVerification(host, config)
  const queryString = await signedQuery(host, '', settings)
  const ask = (secret?: string) =>
    host.call(initRedirectSession, {
      body: { verificationId, queryString, ...(secret !== undefined && { resumeSecret: secret }) },
    })
  return { ask, first: await ask(resumeSecret) }
}

const find = (bearer: string) => host.call(getSession, { bearer })
const visitOf = <O extends { sessionToken: string }>(opened: O) => ({
  ...opened,
  bearer: opened.sessionToken,
})

describe('a link that is opened again with the secret of its first browser', () => {
  test('continues the same session at its current state', async () => {
    const liveness = { type: 'Verification', challengeType: 'Balanced' } as const
    const { ask, first } = await openedLink(own, undefined, { verifierConfigs: { liveness } })
    await step(host, visitOf(first), 0, { person: 'anna' })
    const again = await ask(own)
    expect(again).toEqual({ ...first, sessionToken: again.sessionToken })
    const found = await find(again.sessionToken)
    expect(found.state).toBe('Started')
    expect(found.current?.step).toBe(1)
    expect(found.handoff).toMatchObject({ isHeldHere: true, number: null })
  })

  test('gets the result and the return address', async () => {
    const { ask } = await openedLink(own)
    const again = await ask(own)
    const submitted = await submit(host, visitOf(again), { person: 'anna' })
    expect(submitted.verificationResult).toBe('Pass')
    expect((await find(again.sessionToken)).verificationResult).toBe('Pass')
  })

  test('replaces the page that had it before', async () => {
    const { ask, first } = await openedLink(own)
    await ask(own)
    const { sessionToken: bearer } = first
    const calls = {
      getSession: () => find(bearer),
      submitStep: () => step(host, visitOf(first), 0, { person: 'anna' }),
      submitSession: () => submit(host, visitOf(first), { person: 'anna' }),
      createHandoff: () => host.call(createHandoff, { bearer }),
      cancelHandoff: () => host.call(cancelHandoff, { bearer }),
    }
    for (const [name, made] of Object.entries(calls))
      expect([name, await problemOf(made())]).toEqual([name, 'session_token_ended'])
    await expect(find(bearer)).rejects.toMatchObject({ status: 401 })
  })

  test('opens no other verification, because there the nonce is used', async () => {
    const verificationId = await newVerification(host)
    const other = await newVerification(host)
    const queryString = await signedQuery(host, '', { enableNonce: true, expirationInSeconds: 100 })
    const openingId = 'o'.repeat(22)
    const ask = (id: string) =>
      host.call(initRedirectSession, {
        body: { verificationId: id, queryString, resumeSecret: own, openingId },
      })
    const first = await ask(verificationId)
    expect(await problemOf(ask(other))).toBe('link_already_used')
    expect((await ask(verificationId)).verificationSessionId).toBe(first.verificationSessionId)
  })

  test('takes nothing from a submission in judgement, and gets its result', async () => {
    const { ask, first } = await openedLink(own)
    const { analyse } = host.analysis
    let [begin, release] = [() => {}, () => {}]
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    host.analysis.analyse = async function held(...given) {
      begin()
      await released
      return analyse.apply(this, given)
    }
    try {
      const submitted = submit(host, visitOf(first), { person: 'anna' })
      await begun
      const again = await ask(own)
      expect((await find(again.sessionToken)).state).toBe('Submitted')
      release()
      expect((await submitted).verificationResult).toBe('Pass')
      expect((await find(again.sessionToken)).verificationResult).toBe('Pass')
    } finally {
      release()
      host.analysis.analyse = analyse
    }
  })

  test('opens after the link has expired, as long as the session lasts', async () => {
    const { ask, first } = await openedLink(own)
    host.pass(200_000)
    expect((await ask(own)).verificationSessionId).toBe(first.verificationSessionId)
    expect(await problemOf(ask())).toBe('link_expired')
    expect(await problemOf(ask(another))).toBe('link_expired')
    host.pass(15 * 60_000)
    expect(await problemOf(ask(own))).toBe('link_expired')
  })

  test('is used up once the session is completed', async () => {
    const { ask, first } = await openedLink(own)
    await submit(host, visitOf(first), { person: 'anna' })
    expect(await problemOf(ask(own))).toBe('link_already_used')
  })

  test('is used up for every other secret, and for none', async () => {
    const { ask } = await openedLink(own)
    for (const other of [another, undefined]) expect(await problemOf(ask(other))).toBe('link_already_used')
    const { ask: askOfNobody } = await openedLink()
    expect(await problemOf(askOfNobody(own))).toBe('link_already_used')
  })

  test('leaves the session with a device that took it over, and can take it back', async () => {
    const { ask, first } = await openedLink(own)
    const { code } = await host.call(createHandoff, { bearer: first.sessionToken })
    const phone = await host.call(takeHandoff, { body: { code } })
    const again = await ask(own)
    expect((await find(phone.sessionToken)).handoff).toMatchObject({ isHeldHere: true, number: phone.number })
    expect((await find(again.sessionToken)).handoff).toMatchObject({
      isHeldHere: false,
      number: phone.number,
    })
    await host.call(cancelHandoff, { bearer: again.sessionToken })
    expect((await find(again.sessionToken)).handoff).toMatchObject({ isHeldHere: true, number: null })
    expect((await find(phone.sessionToken)).handoff).toMatchObject({ isHeldHere: false, number: null })
  })

  test('is one session when it is opened fifty times at once, and one page holds it', async () => {
    const verificationId = await newVerification(host)
    const queryString = await signedQuery(host, '', { enableNonce: true })
    const body = { verificationId, queryString, resumeSecret: own }
    const all = await Promise.all(Array.from({ length: 50 }, () => host.call(initRedirectSession, { body })))
    expect(new Set(all.map(({ verificationSessionId }) => verificationSessionId)).size).toBe(1)
    const seen = await Promise.all(all.map(({ sessionToken }) => problemOf(find(sessionToken))))
    expect(seen.filter((problem) => problem === 'no problem')).toHaveLength(1)
    expect(seen.filter((problem) => problem === 'session_token_ended')).toHaveLength(49)
  })

  test('counts no attempt', async () => {
    const { ask } = await openedLink(own)
    for (let i = 0; i < 25; i++) await ask(own)
  })

  test('without a nonce opens a session each time, whatever the secret', async () => {
    const { ask, first } = await openedLink(own, { enableNonce: false, expirationInSeconds: 100 })
    expect((await ask(own)).verificationSessionId).not.toBe(first.verificationSessionId)
  })

  test.each(['A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}+`])(
    'refuses the secret %j',
    async (secret) => {
      const verificationId = await newVerification(host)
      const body = { verificationId, queryString: await signedQuery(host, ''), resumeSecret: secret }
      expect(await problemOf(host.call(initRedirectSession, { body }))).toBe('invalid_request')
    },
  )
})
