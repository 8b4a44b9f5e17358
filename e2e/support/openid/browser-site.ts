import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** The oidc-client-ts versions in package.json: the current one and the oldest that is supported. */
export type BrowserClient = 'oidc-client-ts' | 'oidc-client-ts-3.2'

/** A client that was registered with the provider. */
export interface RegisteredClient {
  readonly issuer: string
  readonly clientId: string
}

/**
 * A site that signs people in through a popup, using oidc-client-ts as documented. Its button opens the popup, and its output
 * shows the claims or the error. `/form` shows the fields that were posted.
 */
export async function startBrowserSite(library: BrowserClient, hidesReferrer = false) {
  const script = await readFile(
    join(import.meta.dirname, '../../../node_modules', library, 'dist/browser/oidc-client-ts.min.js'),
  )
  let client: RegisteredClient = { issuer: '', clientId: '' }

  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0]
    if (path === '/oidc.js') return response.setHeader('content-type', 'text/javascript').end(script)
    response.setHeader('content-type', 'text/html')
    if (hidesReferrer) response.setHeader('referrer-policy', 'no-referrer')
    if (path === '/form') return response.end(await formPage(request))
    response.end(path === '/callback' ? page('manager.signinPopupCallback()') : page(begin))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const redirectUri = `${origin}/callback`

  const page = (run: string) => `<!doctype html><title>Site</title><button>Sign in</button><output></output>
<script src="/oidc.js"></script>
<script>
const manager = new oidc.UserManager(${JSON.stringify({
    authority: client.issuer,
    client_id: client.clientId,
    redirect_uri: redirectUri,
    scope: 'openid face',
  })})
${run}
</script>`

  return {
    redirectUri,
    formUri: `${origin}/form`,
    origin,
    setUp(registered: RegisteredClient) {
      client = registered
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const begin = `
document.querySelector('button').onclick = async () => {
  const answer = await manager.signinPopup().then(({ profile }) => profile, (error) => ({ error: error.message }))
  document.querySelector('output').textContent = JSON.stringify(answer)
}`

async function formPage(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += String(part)
  const fields = JSON.stringify(Object.fromEntries(new URLSearchParams(text)))
  return `<!doctype html><title>Posted</title><output>${request.method} from ${request.headers.origin}: ${fields}</output>`
}
