import { createServer } from 'node:http'
import * as openid from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT = '3000' } = process.env
const site = `http://localhost:${PORT}`

// Without https, only a provider on this machine is accepted.
const onLoopback = { execute: ISSUER.startsWith('http:') ? [openid.allowInsecureRequests] : [] }
const config = await openid.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, onLoopback)

/** Sign-ins in progress, by the browser's cookie: an answer counts only in the browser that began it. */
const begun = new Map()

async function signIn(response) {
  const checks = { pkceCodeVerifier: openid.randomPKCECodeVerifier(), expectedState: openid.randomState() }
  const browser = openid.randomNonce()
  begun.set(browser, checks)
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: `${site}/callback`,
    scope: 'openid face',
    code_challenge: await openid.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: checks.expectedState,
  })
  const cookie = `begun=${browser}; HttpOnly; SameSite=Lax; Path=/callback; Max-Age=1200`
  response.writeHead(303, { Location: address.href, 'Set-Cookie': cookie }).end()
}

async function comeBack(request, response) {
  const browser = /(?:^|; )begun=([\w-]+)/.exec(request.headers.cookie)?.[1]
  const checks = begun.get(browser)
  begun.delete(browser)
  if (checks === undefined) return show(response, 'Start again', 'This browser began no sign-in.')
  try {
    const tokens = await openid.authorizationCodeGrant(config, new URL(request.url, site), checks)
    // Continue your program here: the provider has signed these claims.
    show(response, 'Signed in', JSON.stringify(tokens.claims(), undefined, 2))
  } catch (error) {
    show(response, 'Not signed in', error.error ?? error.message)
  }
}

function show(response, title, text = '') {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  response
    .writeHead(200, { 'Content-Type': 'text/html' })
    .end(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><main><h1>${title}</h1><pre>${escaped}</pre><a href="/sign-in">Sign in with your face</a></main></html>`)
}

createServer((request, response) => {
  const { pathname } = new URL(request.url, site)
  if (pathname === '/sign-in') return signIn(response)
  if (pathname === '/callback') return comeBack(request, response)
  show(response, 'Welcome')
}).listen(Number(PORT), () => console.log(`Open ${site}`))
