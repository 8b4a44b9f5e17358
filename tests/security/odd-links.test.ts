import { afterAll, beforeAll, expect, test } from 'vitest'
import { validateSignature } from '#shared/contract/configuration/signature.ts'
import { initRedirectSession, submitSession } from '#shared/contract/sessions/session.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { oddLinks } from '../../e2e/support/odd-links.ts'
import { type Host, startHost } from '../support/host.ts'
import { consent, newVerification, signedQuery } from '../support/visit.ts'

let host: Host
let verificationId: string
beforeAll(async () => {
  host = await startHost()
  verificationId = await newVerification(host, {
    redirectConfig: { passedUrl: 'https://site.example/passed', failedUrl: 'https://site.example/failed' },
    resultParameterConfig: { includeSignature: true, includeCustomInputParameters: true },
  })
})
afterAll(() => host.close())

/** Opens a link the way a browser would normalise it, and declines. Returns the address that this leads to. */
async function decline(query: string) {
  const signed = await signedQuery(host, `reVerificationId=${verificationId}&${query}`)
  const queryString = new URL(`${host.origin}/verification/${verificationId}?${signed}`).search.slice(1)
  const { sessionToken: bearer, verificationSessionId } = await host.call(initRedirectSession, {
    body: { verificationId, queryString },
  })
  const body = { frames: [], consent: { ...consent, given: false } }
  const { redirectUrl } = await host.call(submitSession, { bearer, body })
  return { verificationSessionId, back: new URL(redirectUrl!) }
}

test.each(oddLinks)('a link with %s opens, and comes back as it was meant', async (_what, query, means) => {
  const { verificationSessionId, back } = await decline(query)
  const result = await host.call(getSessionResult, { query: { verificationSessionId } })
  expect(result.customInputParameters).toEqual(Object.fromEntries(means))
  expect([...back.searchParams].filter(([name]) => !name.startsWith('re'))).toEqual(means)
  const { result: signature } = await host.call(validateSignature, { body: { queryString: back.search } })
  expect(signature).toBe('Valid')
})
