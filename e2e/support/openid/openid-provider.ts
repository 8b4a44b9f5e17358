import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose'

/** The person who signs in, and how the provider's answers deviate from the norm. */
export interface Person {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

interface Asked {
  readonly challenge: string
  readonly nonce: string
  readonly redirectUri: string
  readonly authTime: number
}

let made: Promise<readonly [GenerateKeyPairResult, GenerateKeyPairResult]> | undefined

/** The provider's keys and an attacker's, which are generated once because tests start many providers. */
function keys() {
  made ??= Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  return made
}

/** A small OpenID Connect provider on loopback: discovery, keys, the code flow with PKCE, and a person who always consents. */
export async function startOpenidProvider({ clientId = 'console', clientSecret = 'hush' } = {}) {
  const [{ privateKey, publicKey }, other] = await keys()
  const codes = new Map<string, Asked>()
  const state = {
    person: { sub: 'ada', email: 'Ada@Example.com', email_verified: true, name: 'Ada' } as Person,
    /** Overrides for the next answers. */
    claims: {} as Record<string, unknown>,
    isDenied: false,
    isDown: false,
    signsWrong: false,
    /** How far the clock behind its ID tokens is ahead. */
    aheadSeconds: 0,
    discoveries: 0,
    /** The `User-Agent` of each request that did not come from a browser. */
    senders: [] as (string | undefined)[],
    /** When the last sign-in happened, in seconds since 1970. Used if no new sign-in is required. */
    signedInAt: Math.floor(Date.now() / 1000) - 3600,
    /** The last request's parameters. */
    asked: new URLSearchParams(),
  }

  const server = createServer((request, response) => void answer(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    if (state.isDown) return void response.writeHead(503).end()
    if (url.pathname === '/authorize')
      return void response.writeHead(302, { location: authorize(url.searchParams) }).end()
    state.senders.push(request.headers['user-agent'])
    const body = await bodyOf(url, request)
    response.writeHead(body.status, { 'content-type': 'application/json' }).end(JSON.stringify(body.value))
  }

  async function bodyOf({ pathname }: URL, request: IncomingMessage) {
    if (pathname === '/.well-known/openid-configuration') {
      state.discoveries++
      return { status: 200, value: discovery() }
    }
    if (pathname === '/keys')
      return { status: 200, value: { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256' }] } }
    if (pathname === '/token') return token(request)
    return { status: 404, value: {} }
  }

  function discovery() {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }
  }

  function authorize(asked: URLSearchParams): string {
    state.asked = asked
    const back = new URL(asked.get('redirect_uri')!)
    back.searchParams.set('state', asked.get('state')!)
    if (state.isDenied) {
      back.searchParams.set('error', 'access_denied')
      return back.href
    }
    const code = randomBytes(16).toString('hex')
    const isFresh = asked.get('prompt') === 'login'
    codes.set(code, {
      challenge: asked.get('code_challenge') ?? '',
      nonce: asked.get('nonce') ?? '',
      redirectUri: asked.get('redirect_uri')!,
      authTime: isFresh ? Math.floor(Date.now() / 1000) : state.signedInAt,
    })
    back.searchParams.set('code', code)
    return back.href
  }

  async function token(request: IncomingMessage) {
    let text = ''
    for await (const part of request) text += String(part)
    const given = new URLSearchParams(text)
    const asked = codes.get(given.get('code') ?? '')
    codes.delete(given.get('code') ?? '')
    const verifier = given.get('code_verifier') ?? ''
    const isWhole =
      asked !== undefined &&
      request.headers.authorization ===
        `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` &&
      given.get('redirect_uri') === asked.redirectUri &&
      createHash('sha256').update(verifier).digest('base64url') === asked.challenge
    if (!isWhole) return { status: 400, value: { error: 'invalid_grant' } }
    const usual = { iss: issuer, aud: clientId, nonce: asked.nonce, auth_time: asked.authTime }
    const claims = { ...state.person, ...usual, ...state.claims }
    const idToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .setIssuedAt(Math.floor(Date.now() / 1000) + state.aheadSeconds)
      .setExpirationTime(`${state.aheadSeconds + 300}s`)
      .sign(state.signsWrong ? other.privateKey : privateKey)
    return { status: 200, value: { access_token: 'a', token_type: 'Bearer', id_token: idToken } }
  }

  return {
    settings: { issuer, clientId, clientSecret, name: 'Our Login' },
    state,
    /** Visits the address as a browser would, and returns the query of the redirect back. */
    async visit(url: string): Promise<string> {
      const answered = await fetch(url, { redirect: 'manual' })
      return new URL(answered.headers.get('location')!).search
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
