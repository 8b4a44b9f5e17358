import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { auth, type ConfigParams } from 'express-openid-connect'

interface Client {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * A site that signs people in with Auth0's middleware for Express: `/` starts the sign-in for a stranger, and returns
 * the claims once a person is signed in.
 */
export async function startExpressSite() {
  let app = express()
  const server = createServer((request, response) => app(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    redirectUri: `${origin}/callback`,
    /** Configures the middleware with authorization parameters and otherwise uses its defaults. */
    setUp(
      { issuer, clientId, clientSecret }: Client,
      authorizationParams: NonNullable<ConfigParams['authorizationParams']>,
    ) {
      app = express()
      const secret = 'a secret of the site, for its own cookies'
      const site = { issuerBaseURL: issuer, baseURL: origin, clientID: clientId, clientSecret, secret }
      app.use(auth({ ...site, authorizationParams }))
      app.get('/', (request, response) => void response.json(request.oidc.user))
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
