import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Auth, type AuthConfig } from '@auth/core'

/** A site that signs people in with Auth.js: a POST to `/begin` starts, and `/auth/session` returns the person. */
export async function startAuthjsSite() {
  let config: AuthConfig | undefined

  /** Auth.js starts with a form on the site that contains a token against forgery. */
  async function begin(origin: string): Promise<Response> {
    const csrf = await Auth(new Request(`${origin}/auth/csrf`), config!)
    const { csrfToken } = (await csrf.json()) as { csrfToken: string }
    const cookie = csrf.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const body = new URLSearchParams({ csrfToken, callbackUrl: `${origin}/auth/session` })
    const request = new Request(`${origin}/auth/signin/selfsame`, {
      method: 'POST',
      headers: { cookie },
      body,
    })
    return Auth(request, config!)
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const { cookie = '' } = request.headers
    const answer =
      url.pathname === '/'
        ? await begin(url.origin)
        : await Auth(new Request(url, { headers: { cookie } }), config!)
    for (const line of answer.headers.getSetCookie()) response.appendHeader('Set-Cookie', line)
    const location = answer.headers.get('Location')
    if (location !== null) response.setHeader('Location', location)
    response.writeHead(answer.status).end(await answer.text())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    redirectUri: `${origin}/auth/callback/selfsame`,
    /** Configures the provider as the documentation describes for a generic one. */
    setUp({ issuer, clientId, clientSecret }: { issuer: string; clientId: string; clientSecret: string }) {
      config = {
        secret: 'a secret of the site, for its own cookies',
        trustHost: true,
        basePath: '/auth',
        providers: [
          {
            id: 'selfsame',
            name: 'Selfsame',
            type: 'oidc',
            issuer,
            clientId,
            clientSecret,
            checks: ['pkce', 'state', 'nonce'],
            authorization: { params: { scope: 'openid face' } },
            profile: (claims) => ({ id: claims.sub as string, name: String(claims.acr) }),
          },
        ],
        callbacks: {
          // If a site stores no users, Auth.js generates a new user id every time.
          jwt: ({ token, account }) => ({ ...token, ...(account && { sub: account.providerAccountId }) }),
          session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub ?? '' } }),
        },
        logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
