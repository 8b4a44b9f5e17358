/// <reference path="./passport.d.ts" />
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Passport } from 'passport'
import { Strategy } from 'passport-openidconnect'

interface Session {
  verifier?: string
}

type SiteRequest = IncomingMessage & { session: Session; query: Readonly<Record<string, string>> }

/**
 * Adds PKCE to the strategy, which the package lacks. Passport creates a new object for each request, so values on
 * `this` only belong to that request.
 */
class StrategyWithPkce extends Strategy {
  override authenticate(request: SiteRequest, options: object): void {
    const { session, query } = request
    if (query.code === undefined) session.verifier = randomBytes(32).toString('base64url')
    const { verifier = '' } = session
    const plain = this._oauth2
    this._oauth2 = Object.assign(Object.create(plain) as typeof plain, {
      getOAuthAccessToken: (code: string, parameters: object, done: (...answer: unknown[]) => void) =>
        plain.getOAuthAccessToken(code, { ...parameters, code_verifier: verifier }, done),
    })
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    super.authenticate(request, { ...options, challenge })
  }

  override authorizationParams({ challenge }: { readonly challenge: string }) {
    return { code_challenge: challenge, code_challenge_method: 'S256' }
  }
}

/** A site that signs people in with passport: `/` starts, and `/callback` ends by returning the person as JSON. */
export async function startPassportSite() {
  let passport = new Passport()
  const sessions = new Map<string, Session>()

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site')
    const id = /session=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? randomBytes(8).toString('hex')
    const session = sessions.get(id) ?? {}
    sessions.set(id, session)
    response.setHeader('Set-Cookie', `session=${id}; Path=/`)
    Object.assign(request, { session, query: Object.fromEntries(searchParams) })
    const answer = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value))
    passport.authenticate(
      'openidconnect',
      { session: false, callbackURL: undefined },
      (error, user, info) => {
        if (error) answer(500, { error: (error as { code?: string }).code ?? error.message })
        else answer(user ? 200 : 401, user || (info ?? pathname))
      },
    )(request, response as ServerResponse, () => response.end())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const redirectUri = `${origin}/callback`

  return {
    origin,
    redirectUri,
    /** Configures the strategy as the documentation describes, either with PKCE or with the defaults. */
    setUp(
      issuer: string,
      { clientId, clientSecret, hasPkce }: { clientId: string; clientSecret: string; hasPkce: boolean },
    ) {
      passport = new Passport()
      const settings = {
        issuer,
        authorizationURL: `${issuer}/auth`,
        tokenURL: `${issuer}/token`,
        userInfoURL: `${issuer}/userinfo`,
        clientID: clientId,
        clientSecret,
        callbackURL: redirectUri,
        scope: 'face',
      }
      const verify = (_issuer: unknown, profile: unknown, done: unknown) =>
        (done as (error: null, user: unknown) => void)(null, profile)
      passport.use(new (hasPkce ? StrategyWithPkce : Strategy)(settings, verify))
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
