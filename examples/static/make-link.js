import { createClient } from 'selfsame/client'

/**
 * Prints an address of the static page, with one person's check behind the #. Keep the key away from browsers: run this
 * where your letters are written. To get the result: `selfsame.configuration.getSessionResult({ verificationSessionId })`, or a webhook.
 */
const { SELFSAME_URL, SELFSAME_API_KEY, PAGE = 'http://localhost:3000/' } = process.env
const selfsame = createClient({ origin: SELFSAME_URL, apiKey: SELFSAME_API_KEY })

const { verificationSessionId, captureUrl } = await selfsame.configuration.createSession({
  verifierConfigs: { liveness: { type: 'Verification' } },
  passedUrl: new URL('?thanks', PAGE).href,
  failedUrl: new URL('?thanks', PAGE).href,
})
console.log(`${PAGE}#${captureUrl}`)
console.log(`Its result, later: ${verificationSessionId}`)
