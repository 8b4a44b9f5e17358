import { openidRoutes } from '#server/features/openid/requests.ts'
import { finishProvider } from '#shared/contract/console/openid.ts'
import { signInEndpoints } from '#shared/contract/console/sign-in.ts'
import { pairKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import { createOpenidClient } from '#shared/contract/openid/openid-client.ts'
import { initRedirectSession, limits, submitSession } from '#shared/contract/sessions/session.ts'
import { createHandoff, takeHandoff } from '#shared/contract/sessions/session-handoff.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { LeftBehindKind } from '#shared/left-behind.ts'
import { newVisitor } from '../console-visitor.ts'
import { frameOf } from '../drawn/fake-picture.ts'
import type { Host } from '../host.ts'
import { actVisit, redirectUri } from '../openid/site.ts'
import { consent, newVerification } from '../visit.ts'

/** A call that makes a route store as much as possible. */
export interface StrangersCall {
  readonly route: string
  readonly leaves: LeftBehindKind
  /** Does everything that comes before the call, and returns the call to measure. */
  prepare(): Promise<() => Promise<CallAnswer>>
}

type CallAnswer = Pick<Response, 'status' | 'headers'>

const mostOfQuery = 32_768
const echoed = 2048
/** Leaves the address and body just below 8 kB. */
const room = 8 * 1024 - 2 * echoed - 600
// The example pair from RFC 7636.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }

/** All calls that store something without a credential, each with the largest request that is accepted. */
export async function strangersCalls(host: Host): Promise<readonly StrangersCall[]> {
  const verificationId = await newVerification(host, {
    securityConfig: { forceSignedInput: false },
    verifierConfigs: { liveness: { type: 'Verification' } },
  })
  const { clientId } = await host.call(createOpenidClient, {
    body: { name: 'App', redirectUris: [redirectUri], verificationId, isPublic: true },
  })
  const calls = [...sessionCalls(host, verificationId), ...codeCalls(host), ...openidCalls(host, clientId)]
  return calls.map((call) => ({
    ...call,
    async prepare() {
      const measured = await call.prepare()
      // Excludes the audit log entries that the preparations add.
      await host.services.auditLog.move('all')
      return measured
    },
  }))
}

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (X11) Firefox/1', ...headers },
  body: JSON.stringify(body),
})

function sessionCalls(host: Host, verificationId: string): StrangersCall[] {
  const open = (queryString: string) =>
    host.fetch(initRedirectSession.path, json({ verificationId, queryString }))
  const named = `note=${'x'.repeat(mostOfQuery - 5)}`

  async function expire(): Promise<void> {
    host.pass(17 * 60_000)
    await host.services.expireOverdue()
    await host.services.auditLog.move('all')
  }

  async function endAs(sessionToken: string, number: number): Promise<CallAnswer> {
    const frames = Array.from({ length: limits.framesInAll }, () => ({
      ...frameOf({ person: null }),
      challengeStep: 0,
    }))
    const deviceReport = { words: 'x'.repeat(limits.deviceReportBytes - 20) }
    const body = { frames, consent, deviceReport, try: number, acceptsRetry: true }
    const sent = json(body, { authorization: `Bearer ${sessionToken}` })
    return host.fetch(submitSession.path, sent)
  }

  return [
    {
      route: initRedirectSession.path,
      leaves: initRedirectSession.leaves,
      prepare: async () => () => open(named),
    },
    {
      route: `${initRedirectSession.path}, left`,
      leaves: initRedirectSession.leaves,
      async prepare() {
        await expire()
        return async () => {
          const answer = await open('')
          await expire()
          return answer
        }
      },
    },
    {
      route: `${initRedirectSession.path}, failed three times`,
      leaves: initRedirectSession.leaves,
      prepare: async () => async () => {
        const { sessionToken } = await (await open(named)).json()
        for (let number = 1; number < 3; number++) await endAs(sessionToken, number)
        return endAs(sessionToken, 3)
      },
    },
    {
      route: takeHandoff.path,
      leaves: takeHandoff.leaves,
      async prepare() {
        const { sessionToken } = await (await open('')).json()
        const { code } = await host.call(createHandoff, { bearer: sessionToken })
        return () => host.fetch(takeHandoff.path, json({ code }))
      },
    },
  ]
}

/** Wrong codes and unknown passkeys. */
function codeCalls(host: Host): StrangersCall[] {
  const { beginSignIn, finishSignIn, finishInvitation } = signInEndpoints
  const visitor = newVisitor(host)
  const ask = (endpoint: Endpoint, body: object) => visitor.ask(endpoint, body)
  const begun = async () => (await visitor.ask(beginSignIn)).body as { ceremony: string }
  const response = { id: 'x'.repeat(1000), rawId: 'x'.repeat(1000), type: 'public-key', response: {} }
  return [
    {
      route: pairKiosk.path,
      leaves: pairKiosk.leaves,
      prepare: async () => async () => host.fetch(pairKiosk.path, json(pairKiosk.example!.body)),
    },
    {
      route: finishSignIn.path,
      leaves: finishSignIn.leaves,
      async prepare() {
        const { ceremony } = await begun()
        return () => ask(finishSignIn, { ceremony, response })
      },
    },
    {
      route: finishInvitation.path,
      leaves: finishInvitation.leaves,
      async prepare() {
        const { ceremony } = await begun()
        const body = { code: 'x'.repeat(100), name: 'x'.repeat(100), ceremony, response }
        return () => ask(finishInvitation, body)
      },
    },
    {
      route: finishProvider.path,
      leaves: finishProvider.leaves,
      prepare: async () => () => ask(finishProvider, { ceremony: 'x'.repeat(1000), returned: 'x' }),
    },
  ]
}

function openidCalls(host: Host, clientId: string): StrangersCall[] {
  const issuer = '/openid'
  const parameters = new URLSearchParams({
    ...pkce,
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid face',
    state: 's'.repeat(echoed),
    nonce: 'n'.repeat(echoed),
    login_hint: 'h'.repeat(room),
  })
  const form = { method: 'POST', body: parameters }
  const cookiesOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
  const go = async (path: string, cookie = '') =>
    host.fetch(new URL(path, host.origin).pathname + new URL(path, host.origin).search, {
      headers: { cookie, accept: 'text/html' },
    })
  const begin = async () => {
    const answer = await go(`${issuer}/auth?${parameters}`)
    return { page: answer.headers.get('location')!, cookie: cookiesOf(answer) }
  }
  const push = () => host.fetch(`${issuer}/par`, form)
  const at = (route: keyof typeof openidRoutes) => ({
    route: issuer + route,
    leaves: openidRoutes[route].leaves,
  })
  return [
    { ...at('/auth'), prepare: async () => () => go(`${issuer}/auth?${parameters}`) },
    {
      ...at('/auth'),
      route: `POST ${issuer}/auth`,
      prepare: async () => () => host.fetch(`${issuer}/auth`, form),
    },
    {
      ...at('/auth'),
      route: `${issuer}/auth with request_uri`,
      async prepare() {
        const { request_uri: uri } = (await (await push()).json()) as { request_uri: string }
        const query = new URLSearchParams({ client_id: clientId, request_uri: uri })
        return () => go(`${issuer}/auth?${query}`)
      },
    },
    { ...at('/par'), prepare: async () => () => push() },
    {
      ...at('/visit/:uid'),
      async prepare() {
        const { page, cookie } = await begin()
        return () => go(page, cookie)
      },
    },
    {
      ...at('/auth/:uid'),
      async prepare() {
        const { page, cookie } = await begin()
        return () => go(page.replace('/visit/', '/auth/'), cookie)
      },
    },
    {
      ...at('/token'),
      async prepare() {
        const { page, cookie } = await begin()
        const visit = await go(page, cookie)
        const back = await actVisit(host, visit.headers.get('location')!, { person: 'a', age: 34 })
        const resumed = await go((await go(back, cookie)).headers.get('location')!, cookie)
        const code = new URL(resumed.headers.get('location')!).searchParams.get('code')!
        const body = new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: clientId,
          redirect_uri: redirectUri,
          code_verifier: verifier,
          code,
        })
        return () => host.fetch(`${issuer}/token`, { method: 'POST', body })
      },
    },
    {
      ...at('/visit/:uid/done'),
      async prepare() {
        const { page, cookie } = await begin()
        return () => go(`${page}/done`, cookie)
      },
    },
  ]
}
