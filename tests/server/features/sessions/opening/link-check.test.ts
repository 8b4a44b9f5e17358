import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { initRedirectSession } from '#shared/contract/sessions/session.ts'
import { readLink } from '#shared/contract/sessions/session-link.ts'
import { getUsage } from '#shared/contract/sessions/session-usage.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newVerification, problemOf, signedQuery, submit } from '../../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost({ ports: { attemptLimit: 2 } })
})
afterAll(() => host.close())

const once = { enableNonce: true, expirationInSeconds: 100 }
const config: VerificationConfig = {
  verifierConfigs: { liveness: { type: 'Verification', challengeType: 'Balanced' } },
}
const read = (verificationId: string, queryString: string) =>
  host.call(readLink, { body: { verificationId, queryString } })
const open = (verificationId: string, queryString: string) =>
  host.call(initRedirectSession, { body: { verificationId, queryString } })

async function everything(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of host.store.list('')) keys.push(key)
  return keys.filter((key) => !key.startsWith('rate'))
}

describe('POST /v1/verification/read-link', () => {
  test('tells what the session will capture, as often as it is asked', async () => {
    const verificationId = await newVerification(host, config)
    const link = await signedQuery(host, 'reLocale=de', once)
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(verificationId, link)))
    const { capturePlan } = await open(verificationId, link)
    for (const answer of answers)
      expect(answer).toEqual({ state: 'Valid', theme: capturePlan.theme, capturePlan })
  })

  test('keeps nothing, and counts no visit', async () => {
    const verificationId = await newVerification(host, config)
    const link = await signedQuery(host, '', once)
    const range = {
      from: new Date(host.now() - 1000).toISOString(),
      to: new Date(host.now() + 1000).toISOString(),
    }
    const usage = () => host.call(getUsage, { query: { ...range, interval: 'day' as const } })
    const before = [await everything(), await usage()]
    await read(verificationId, link)
    expect([await everything(), await usage()]).toEqual(before)
  })

  test('says that a link is used or expired, and whose it is', async () => {
    const verificationId = await newVerification(host, config)
    const link = await signedQuery(host, '', once)
    const { theme } = (await open(verificationId, link)).capturePlan
    expect(await read(verificationId, link)).toEqual({ state: 'NonceAlreadyUsed', theme, capturePlan: null })
    host.pass(100_000)
    expect(await read(verificationId, link)).toEqual({ state: 'Expired', theme, capturePlan: null })
  })

  test('refuses what init-redirect-session refuses', async () => {
    const verificationId = await newVerification(host, config)
    const link = await signedQuery(host, 'a=1', once)
    const moved = await signedQuery(host, 'reVerificationId=another', once)
    const refusals: (readonly [string, string, string])[] = [
      [verificationId, 'a=1', 'signature_invalid'],
      [verificationId, link.replace('a=1', 'a=2'), 'signature_invalid'],
      [verificationId, `${link}&fbclid=1`, 'signature_invalid'],
      [verificationId, moved, 'signature_invalid'],
      ['unknown', link, 'not_found'],
      [verificationId, 'a=%FF#', 'invalid_request'],
    ]
    for (const [id, query, code] of refusals) {
      expect([query, await problemOf(read(id, query))]).toEqual([query, code])
      expect([query, await problemOf(open(id, query))]).toEqual([query, code])
    }
  })

  test('says that too much failed under the link', async () => {
    const verificationId = await newVerification(host, config)
    const link = await signedQuery(host, '')
    for (let failed = 0; failed < 2; failed++) {
      const opened = await open(verificationId, link)
      await submit(host, { ...opened, bearer: opened.sessionToken }, { person: null })
    }
    expect(await problemOf(read(verificationId, link))).toBe('too_many_requests')
  })

  test('counts as a request of its address, and not as an opening', async () => {
    const limited = await startHost({ limits: { requests: 2, inits: 1 } })
    const verificationId = await newVerification(limited, config)
    const body = { verificationId, queryString: await signedQuery(limited, '', once) }
    for (let asked = 0; asked < 2; asked++) await limited.call(readLink, { body })
    expect(await problemOf(limited.call(readLink, { body }))).toBe('too_many_requests')
    await limited.call(initRedirectSession, { body })
    await limited.close()
  })
})
