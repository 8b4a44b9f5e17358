import { createHash, randomBytes } from 'node:crypto'
import { createKey } from '../../../shared/contract/account/account.ts'
import { createVerification } from '../../../shared/contract/configuration/verification.ts'
import { createOpenidClient } from '../../../shared/contract/openid/openid-client.ts'
import { completeTestSession } from '../../../shared/contract/sessions/session-test.ts'
import { scopes } from '../../../shared/endpoint.ts'
import { openBrowser } from '../../../tests/support/openid/browser.ts'
import type { BuiltServer } from '../../../tests/support/programs/built-server.ts'
import { callerOf } from '../caller.ts'

export const redirectUri = 'http://127.0.0.1:9/callback'

/** The data needed to redeem a code, as the body of a token request. */
export interface CodeRedemption {
  readonly grant_type: 'authorization_code'
  readonly code: string
  readonly redirect_uri: string
  readonly code_verifier: string
}

/** A client of a built server's test issuer, and people who sign in there without a camera. */
export interface TestIssuer {
  readonly issuer: string
  readonly clientId: string
  /** The value of the Authorization header. */
  readonly credentials: string
  /** A complete authorization request, and the data needed to redeem its code. */
  newRequest(): { readonly asked: Readonly<Record<string, string>>; readonly verifier: string }
  /** Runs a sign-in until it yields a code. */
  signIn(): Promise<CodeRedemption>
  /** Redeems a code and returns the status. */
  redeem(form: CodeRedemption): Promise<number>
}

export async function openTestIssuer({ origin, apiKey: liveKey }: BuiltServer): Promise<TestIssuer> {
  const live = callerOf(origin, liveKey)
  const { apiKey } = await live.call(createKey, { body: { name: 'test', scopes: [...scopes], mode: 'test' } })
  const caller = callerOf(origin, apiKey)
  const { verificationId } = await caller.call(createVerification, {
    body: {
      name: 'sign-in',
      verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
    },
  })
  const redirectUris = [redirectUri]
  const { issuer, clientId, clientSecret } = await caller.call(createOpenidClient, {
    body: { name: 'Shop', redirectUris, verificationId },
  })
  const credentials = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

  function newRequest() {
    const verifier = randomBytes(32).toString('base64url')
    const asked = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid face',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: randomBytes(8).toString('hex'),
      nonce: randomBytes(8).toString('hex'),
    }
    return { asked, verifier }
  }

  return {
    issuer,
    clientId,
    credentials,
    newRequest,
    async signIn() {
      const { asked, verifier } = newRequest()
      const browser = openBrowser()
      const page = await browser.follow(`${issuer}/auth?${new URLSearchParams(asked)}`, origin)
      const verificationSessionId = new URL(page.address).pathname.split('/').at(-1)!
      await caller.call(completeTestSession, {
        body: { verificationSessionId, testOutcome: { result: 'passed' } },
      })
      const visit = [...browser.cookies.values()]
        .map(({ path }) => path)
        .find((path) => path.includes('/visit/'))
      const { address } = await browser.follow(`${origin}${visit}/done`, origin)
      const code = new URL(address).searchParams.get('code')
      if (code === null) throw new Error(`A sign-in ended at ${address}.`)
      return { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
    },
    async redeem(form) {
      const body = new URLSearchParams({ ...form })
      const headers = { Authorization: credentials }
      const answer = await fetch(`${issuer}/token`, { method: 'POST', headers, body })
      await answer.arrayBuffer()
      return answer.status
    },
  }
}
