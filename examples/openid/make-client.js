import { createClient } from 'selfsame/client'

const { SELFSAME_URL, SELFSAME_API_KEY, PORT = '3000' } = process.env
const selfsame = createClient({ origin: SELFSAME_URL, apiKey: SELFSAME_API_KEY })

/** Defines what is checked when people sign in. */
const { verificationId } = await selfsame.configuration.createVerification({
  name: `openid starter, ${new Date().toISOString()}`,
  verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
})
const { issuer, clientId, clientSecret } = await selfsame.configuration.createOpenidClient({
  name: 'Openid starter',
  redirectUris: [`http://localhost:${PORT}/callback`],
  verificationId,
})
console.log(`ISSUER=${issuer} CLIENT_ID=${clientId} CLIENT_SECRET=${clientSecret} npm start`)
