import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { initRedirectSession } from '#shared/contract/sessions/session.ts'
import type { Problem } from '#shared/problem.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newVerification, signedQuery } from '../../../../support/visit.ts'

const supportUrl = 'https://northwind.example/help'

let host: Host
let verificationId: string
let link: string
beforeAll(async () => {
  host = await startHost()
  await host.services.accounts.update(host.accountId, { displayName: 'Northwind', supportUrl })
  verificationId = await newVerification(host)
  link = await signedQuery(host, 'a=1', { enableNonce: true, expirationInSeconds: 100 })
})
afterAll(() => host.close())

async function refusal(id: string, queryString: string): Promise<Problem> {
  const body = { verificationId: id, queryString }
  return host.call(initRedirectSession, { body }).then(
    () => expect.fail('the link opened'),
    (problem: Problem) => problem,
  )
}

describe('a link that does not open names its sender', () => {
  const theme = { accountName: 'Northwind', accentColour: null, logo: null, region: 'EU', supportUrl }
  const members = { theme }

  test('if it is broken, used or expired', async () => {
    expect(await refusal(verificationId, link.replace('a=1', 'a=2'))).toMatchObject({ status: 401, members })
    await host.call(initRedirectSession, { body: { verificationId, queryString: link } })
    expect(await refusal(verificationId, link)).toMatchObject({ code: 'link_already_used', members })
    host.pass(100_000)
    expect(await refusal(verificationId, link)).toMatchObject({ code: 'link_expired', members })
  })

  test('but names nothing if the verification is unknown', async () => {
    expect((await refusal('unknown', link)).members).toEqual({})
  })
})
