import express from 'express'
import { createClient } from 'selfsame/client'

const { SELFSAME_URL, SELFSAME_API_KEY, PORT = '3000' } = process.env
const selfsame = createClient({ origin: SELFSAME_URL, apiKey: SELFSAME_API_KEY })

const app = express()
const server = app.listen(Number(PORT), () => console.log(`Open ${origin()}`))
const origin = () => `http://localhost:${server.address().port}`

/** Defines what is checked. Create it once, and keep its id in your program's settings. */
let verificationId = process.env.SELFSAME_VERIFICATION_ID
async function verification() {
  if (verificationId === undefined) {
    const made = await selfsame.configuration.createVerification({
      name: `express starter, ${new Date().toISOString()}`,
      verificationConfig: {
        verifierConfigs: { liveness: { type: 'Verification' } },
        redirectConfig: { passedUrl: `${origin()}/result`, failedUrl: `${origin()}/result` },
        resultParameterConfig: {
          includeSignature: true,
          includeVerificationResult: true,
          includeCustomInputParameters: true,
        },
      },
    })
    verificationId = made.verificationId
    console.log(`SELFSAME_VERIFICATION_ID=${verificationId}`)
  }
  return verificationId
}

app.get('/', (_request, response) => {
  response.send(page('Welcome', '<form method="post" action="/check"><button>Check my face</button></form>'))
})

/** Each link is signed for one visit and works once. */
app.post('/check', async (_request, response) => {
  const link = await selfsame.createLink({
    verificationId: await verification(),
    parameters: { order: '42' },
    securitySettings: { enableNonce: true, expirationEnabled: true, expirationInSeconds: 3600 },
  })
  response.redirect(303, link)
})

/** The address came through the person's browser: do not trust it without its signature. */
app.get('/result', async (request, response) => {
  const { signature, parameters } = await selfsame.readReturn(`${origin()}${request.originalUrl}`)
  if (signature !== 'Valid') {
    response.status(400).send(page('Not to be trusted', '<p>This address was changed.</p>'))
    return
  }
  const passed = parameters.reVerificationResult === 'passed'
  // parameters.order is what you sent: continue your program here.
  response.send(page(passed ? 'Passed' : 'Not passed', '<p><a href="/">Back</a></p>'))
})

function page(title, content) {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><main><h1>${title}</h1>${content}</main></html>`
}
